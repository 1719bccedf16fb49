import TestSupport
import Testing
import TodoModel
import TodoProtocol

/// What keeps the house tidy.
@Suite struct HouseTests {
  static let project = ProjectFolder().path
  static let sources =
    FileTree.files(below: project + "/Sources", ending: ".swift")
    + FileTree.files(below: project + "/Tests", ending: ".swift")

  /// The example of `initialize` names every method.
  @Test func protocolPageNamesTheMethodsInTheirOrder() throws {
    let page = try #require(FileTree.text(of: Self.project + "/Protocol.md"))
    let start = try #require(page.firstRange(of: "\"methods\":["))
    let end = try #require(page[start.upperBound...].firstIndex(of: "]"))
    let names = page[start.upperBound..<end].split(separator: ",").map {
      $0.filter { $0 != "\"" && !$0.isWhitespace }
    }
    #expect(names == Methods.names)
  }

  /// One version, in every file that a packager reads.
  @Test(arguments: [
    ("editors/vscode/package.json", "\"version\": \""),
    ("editors/python/src/todo_server/__init__.py", "__version__ = \""),
    ("editors/emacs/todo-server.el", ";; Version: "),
  ])
  func versionIsThatOfTheProgram(file: String, mark: String) throws {
    let text = try #require(FileTree.text(of: "\(Self.project)/\(file)"))
    let start = try #require(text.firstRange(of: mark)).upperBound
    #expect(text[start...].prefix { $0.isNumber || $0 == "." } == Product.version)
  }

  @Test(arguments: sources)
  func fileHasOneJob(file: String) throws {
    let lines = try #require(FileTree.text(of: file)).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 401, "more than 400 lines are usually two jobs")
  }

  @Test(arguments: sources.filter { $0.contains("/Sources/") })
  func noLeftovers(file: String) throws {
    let text = try #require(FileTree.text(of: file))
    // Written apart, so that this file does not find itself.
    for mark in ["FIX" + "ME", "HA" + "CK", "X" + "XX", "TO" + "DO:", "try" + "!", "as" + "! "] {
      // `\u` and four digits is no mark.
      let isFound = text.replacing("\\u" + String(repeating: "X", count: 4), with: "").contains(
        mark)
      #expect(!isFound, "\(mark) is left over")
    }
  }

  /// `first` of `lazy.filter` or `lazy.compactMap` calls the closure twice for the element that it
  /// returns, and traps if the second answer differs. `firstResult(of:)` calls it once.
  @Test(arguments: sources.filter { $0.contains("/Sources/") })
  func noClosureIsCalledTwice(file: String) throws {
    let text = try #require(FileTree.text(of: file))
    for call in [".lazy.filter", ".lazy.compactMap"] { #expect(!text.contains(call)) }
  }

  /// A new reader has a minute; longer texts belong on the pages that it links to.
  @Test func readmeIsShort() throws {
    let page = try #require(FileTree.text(of: Self.project + "/README.md"))
    #expect(page.utf8.count <= 10_000)
  }

  @Test func topLevelIsWhatItShouldBe() {
    let allowed: Set = [
      "Package.swift", "Sources", "Tests", "Protocol.md", "Fixtures", "editors", "README.md",
      "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md", ".ci", ".git", ".gitignore",
      ".swift-format", "LICENSE", ".build", ".swiftpm",
    ]
    let names = FileTree.names(in: Self.project).filter { !$0.hasPrefix(".build") }
    #expect(Set(names).subtracting(allowed).isEmpty)
  }

  /// A C library or Foundation that nobody needs costs every start.
  @Test(arguments: sources.filter { $0.contains("/Sources/") })
  func noFoundation(file: String) throws {
    let text = try #require(FileTree.text(of: file))
    #expect(!text.contains("import Foundation"))
  }
}
