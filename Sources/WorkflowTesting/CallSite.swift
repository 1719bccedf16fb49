import Testing
import XCTest

/// The source location of an expectation.
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

/// Reports a failed expectation at its source location to the test library that runs the test.
///
/// The failure is always reported to Swift Testing. If Swift Testing is not running a test, the
/// failure is also reported to XCTest, which may be running one. If no test is running, the program
/// ends, because the failure would be lost.
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

/// Returns the description of a value for a failure message.
func shown(_ value: Any) -> String {
  String(reflecting: value)
}

/// Whether two values are equal; `nil` if they are not `Equatable`.
func areEqual<Value>(_ left: Value, _ right: Value) -> Bool? {
  (left as? any Equatable).map { isEqual($0, right) }
}

private func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
  (right as? Value).map { left == $0 } ?? false
}
