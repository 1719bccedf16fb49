import Testing
import XCTest

/// Where an expectation was written.
struct CallSite {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }
}

/// Reports a broken expectation where it was written, to whoever runs the test.
///
/// Swift Testing hears of it also from a task without a current test, where XCTest may be running
/// instead. Where neither is, nobody would hear of it, and the program ends.
func fail(_ message: String, at site: CallSite) {
  Issue.record(
    Comment(rawValue: message),
    sourceLocation: SourceLocation(
      fileID: "\(site.fileID)", filePath: "\(site.filePath)", line: Int(site.line),
      column: Int(site.column)))
  guard Test.current == nil else { return }
  XCTFail(message, file: site.filePath, line: site.line)
  if !isTestRun { fatalError(message, file: site.filePath, line: site.line) }
}

/// Whether this process runs tests.
private let isTestRun: Bool = {
  let program = CommandLine.arguments.first ?? ""
  return program.hasSuffix("xctest") || program.hasSuffix("swiftpm-testing-helper")
    || CommandLine.arguments.contains("--testing-library")
}()

/// A value as a failure shows it.
func shown(_ value: Any) -> String {
  String(reflecting: value)
}

/// Whether two values are equal; `nil` when they cannot be compared.
func areEqual<Value>(_ left: Value, _ right: Value) -> Bool? {
  (left as? any Equatable).map { isEqual($0, right) }
}

private func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
  (right as? Value).map { left == $0 } ?? false
}
