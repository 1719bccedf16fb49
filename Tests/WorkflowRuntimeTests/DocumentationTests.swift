import Foundation
import Testing

/// Checks that the examples in the documentation compile. Nearly all are fragments that depend on
/// types and values around them, so they cannot be extracted. Instead, a test of the same module,
/// usually one of the `Documented…Tests`, contains each example; only whitespace may differ.
@Suite struct DocumentationTests {
  /// The root folder of the project. Packages beside the project include this file through a
  /// symbolic link, which is resolved.
  private static let project = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func files(_ pathExtension: String, below folder: String) -> [URL] {
    let below = FileManager.default.enumerator(
      at: project.appending(path: folder), includingPropertiesForKeys: nil)
    return (below?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == pathExtension }
  }

  private static func withoutSpace(_ text: String) -> String {
    text.filter { !$0.isWhitespace }
  }

  /// The examples in the comments of a file or in an article, each with its first line number.
  private static func examples(in file: URL) throws -> [(line: Int, text: String)] {
    let isArticle = file.pathExtension == "md"
    var found: [(line: Int, text: String)] = []
    var current: (line: Int, text: String)?
    let lines = try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      let words = line.drop { $0 == " " }
      guard isArticle || words.hasPrefix("///") else { continue }
      let content = isArticle ? line : words.dropFirst(3).drop { $0 == " " }
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

  /// The test folder that contains the examples of each module. The examples of the page "Your
  /// first server" are not included, because `.ci/dependents` builds them step by step.
  @Test(arguments: [
    ("WorkflowRuntime", "Tests/WorkflowRuntimeTests", "swift"),
    ("WorkflowTesting", "Tests/WorkflowTestingTests", "swift"),
    ("JSONRPC", "Tests/JSONRPCTests", "swift"),
    ("WorkflowRuntime", "Tests/WorkflowRuntimeTests", "md"),
    ("WorkflowTesting", "Tests/WorkflowTestingTests", "md"),
    ("JSONRPC", ".ci/dependent-modes/Tests", "md"),
  ])
  func everyExampleIsCompiled(room: String, testRoom: String, pathExtension: String) throws {
    let tests = try Self.files("swift", below: testRoom)
      .map { Self.withoutSpace(try String(contentsOf: $0, encoding: .utf8)) }
    var count = 0
    for file in Self.files(pathExtension, below: "Sources/\(room)")
    where file.lastPathComponent != "YourFirstServer.md" {
      for example in try Self.examples(in: file) {
        let text = Self.withoutSpace(example.text)
        count += 1
        #expect(
          tests.contains { $0.contains(text) },
          "\(file.lastPathComponent):\(example.line) shows what no test compiles")
      }
    }
    #expect(count > (pathExtension == "md" ? 0 : 5))
  }
}
