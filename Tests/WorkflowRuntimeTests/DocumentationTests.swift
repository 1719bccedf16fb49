import Foundation
import Testing

/// What the documentation shows is code that is compiled: each example stands, letter for letter but
/// for white space, in a test beside this one.
@Suite struct DocumentationTests {
  private static let project = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func swiftFiles(below folder: String) -> [URL] {
    let below = FileManager.default.enumerator(
      at: project.appending(path: folder), includingPropertiesForKeys: nil)
    return (below?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
  }

  private static func withoutSpace(_ text: String) -> String {
    text.filter { !$0.isWhitespace }
  }

  /// The examples in the comments of a file, each with the line it begins at.
  private static func examples(in file: URL) throws -> [(line: Int, text: String)] {
    var found: [(line: Int, text: String)] = []
    var current: (line: Int, text: String)?
    let lines = try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      let words = line.drop { $0 == " " }
      guard words.hasPrefix("///") else { continue }
      let content = words.dropFirst(3).drop { $0 == " " }
      if content == "```swift" {
        current = (number + 1, "")
      } else if content.hasPrefix("```") {
        if let current { found.append(current) }
        current = nil
      } else {
        current?.text += content + "\n"
      }
    }
    return found
  }

  @Test(arguments: ["WorkflowRuntime", "WorkflowTesting"])
  func everyExampleIsCompiled(room: String) throws {
    let tests = try Self.swiftFiles(below: "Tests/\(room)Tests")
      .filter { $0.lastPathComponent.hasPrefix("Documented") }
      .map { Self.withoutSpace(try String(contentsOf: $0, encoding: .utf8)) }
    var count = 0
    for file in Self.swiftFiles(below: "Sources/\(room)") {
      for example in try Self.examples(in: file) {
        let text = Self.withoutSpace(example.text)
        count += 1
        #expect(
          tests.contains { $0.contains(text) },
          "\(file.lastPathComponent):\(example.line) shows what no test compiles")
      }
    }
    #expect(count > 5)
  }
}
