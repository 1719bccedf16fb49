import TestSupport
import Testing
import TodoModel
import TodoProtocol

/// Tests the conventions of the repository.
@Suite struct HouseTests {
  static let project = ProjectFolder().path
  static let sources =
    FileTree.files(below: project + "/Sources", ending: ".swift")
    + FileTree.files(below: project + "/Tests", ending: ".swift")

  /// The example of `initialize` contains every method, in order.
  @Test func protocolPageNamesTheMethodsInTheirOrder() throws {
    let page = try #require(FileTree.text(of: Self.project + "/Protocol.md"))
    let start = try #require(page.firstRange(of: "\"methods\":["))
    let end = try #require(page[start.upperBound...].firstIndex(of: "]"))
    let names = page[start.upperBound..<end].split(separator: ",").map {
      $0.filter { $0 != "\"" && !$0.isWhitespace }
    }
    #expect(names == Methods.names)
  }

  /// Each file in which a packager or a reader looks for the version contains the version of the
  /// program. `pyproject.toml` and the packages of a release have no copy: they derive their
  /// version.
  @Test(arguments: [
    ("editors/vscode/package.json", "\"version\": \""),
    ("editors/python/src/todo_server/__init__.py", "__version__ = \""),
    ("editors/emacs/todo-server.el", ";; Version: "),
    ("editors/python/REFERENCE.md", "ok: todo-server "),
    ("CHANGELOG.md", "\n## "),
  ])
  func versionIsThatOfTheProgram(file: String, mark: String) throws {
    let text = try #require(FileTree.text(of: "\(Self.project)/\(file)"))
    let start = try #require(text.firstRange(of: mark)).upperBound
    #expect(text[start...].prefix { $0.isNumber || $0 == "." } == Product.version)
  }

  @Test func readmeNamesTheVersion() throws {
    let page = try #require(FileTree.text(of: Self.project + "/README.md"))
    let version = Product.version.split(separator: ".").prefix(2).joined(separator: ".")
    #expect(page.contains("This is version \(version). "))
  }

  /// No other file contains a copy of the version, which could be forgotten at an update.
  @Test func versionHasNoOtherCopies() throws {
    let known: Set = [
      "CHANGELOG.md", "editors/emacs/todo-server.el", "editors/python/REFERENCE.md",
      "editors/python/src/todo_server/__init__.py", "editors/vscode/package.json",
      "Sources/TodoModel/Product.swift",
      // A comment with an example.
      "Sources/CCrash/include/crash.h",
    ]
    let copies = FileTree.files(below: Self.project).filter { file in
      [".swift", ".h", ".c", ".py", ".toml", ".json", ".md", ".js", ".el", ".lua", ".vim"]
        .contains { file.hasSuffix($0) }
        && !file.contains("/Fixtures/") && !file.contains("/node_modules/")
        && FileTree.text(of: file)?.contains(Product.version) == true
    }
    #expect(Set(copies.map { String($0.dropFirst(Self.project.count + 1)) }) == known)
  }

  /// The versions are unique, the newest first.
  @Test func eachVersionHasOneEntryOfChanges() throws {
    let page = try #require(FileTree.text(of: Self.project + "/CHANGELOG.md"))
    let versions = page.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { line in
      line.dropFirst(3).prefix { $0 != "," }.split(separator: ".").compactMap { Int($0) }
    }
    #expect(versions.count >= 2 && versions.allSatisfy { $0.count == 3 })
    for (newer, older) in zip(versions, versions.dropFirst()) {
      #expect(older.lexicographicallyPrecedes(newer))
    }
  }

  @Test(arguments: sources)
  func fileHasAtMostFourHundredLines(file: String) throws {
    let lines = try #require(FileTree.text(of: file)).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 401, "more than 400 lines are usually two jobs")
  }

  /// The names of the workflow types of the app.
  static let workflows = sources.filter { $0.contains("/Sources/TodoWorkflows/") }.flatMap { file in
    (FileTree.text(of: file) ?? "").matches(of: /struct ([A-Za-z]+): Workflow[ ,]/).map {
      String($0.1)
    }
  }

  @Test func workflowTypesAreFound() { #expect(Self.workflows.count >= 11) }

  @Test(arguments: workflows)
  func workflowIsRenderedByATest(name: String) throws {
    let isRendered = Self.sources.contains { file in
      guard file.contains("/Tests/TodoWorkflowsTests/"), let text = FileTree.text(of: file) else {
        return false
      }
      return text.contains("\(name)(") && text.contains(".renderTester(")
    }
    #expect(isRendered, "no test of \(name) uses its renderTester")
  }

  @Test(arguments: sources.filter { $0.contains("/Sources/") })
  func sourcesHaveNoLeftovers(file: String) throws {
    let text = try #require(FileTree.text(of: file))
    // Concatenated, so that this file does not match.
    for mark in ["FIX" + "ME", "HA" + "CK", "X" + "XX", "TO" + "DO:", "try" + "!", "as" + "! "] {
      guard text.hasBytes(mark) else { continue }
      // `\u` and four digits is not a match.
      let isFound = text.replacing("\\u" + String(repeating: "X", count: 4), with: "").hasBytes(
        mark)
      #expect(!isFound, "\(mark) is left over")
    }
  }

  /// `first` of `lazy.filter` or `lazy.compactMap` calls the closure twice for the element that it
  /// returns, and traps if the second answer differs. `firstResult(of:)` calls it once.
  @Test(arguments: sources.filter { $0.contains("/Sources/") })
  func noClosureIsCalledTwice(file: String) throws {
    let text = try #require(FileTree.text(of: file))
    for call in [".lazy.filter", ".lazy.compactMap"] { #expect(!text.hasBytes(call)) }
  }

  /// The README is short, because a new reader has only a minute for it. Longer texts belong on the
  /// pages that it links.
  @Test func readmeIsShort() throws {
    let page = try #require(FileTree.text(of: Self.project + "/README.md"))
    #expect(page.utf8.count <= 10_000)
  }

  @Test func topLevelHasOnlyExpectedFiles() {
    let allowed: Set = [
      "Package.swift", "Sources", "Tests", "Protocol.md", "Fixtures", "editors", "README.md",
      "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md", ".ci", ".git", ".gitignore",
      ".swift-format", "LICENSE", ".build", ".swiftpm",
    ]
    let names = FileTree.names(in: Self.project).filter { !$0.hasPrefix(".build") }
    #expect(Set(names).subtracting(allowed).isEmpty)
  }

  /// No source imports Foundation. Like an unused C library, it would make every start slower.
  @Test(arguments: sources.filter { $0.contains("/Sources/") })
  func sourcesDoNotImportFoundation(file: String) throws {
    let text = try #require(FileTree.text(of: file))
    #expect(!text.hasBytes("import Foundation"))
  }
}
