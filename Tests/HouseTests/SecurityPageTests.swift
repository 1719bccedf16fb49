import TestSupport
import Testing

/// The README's table of threats names tests that are there.
@Suite struct SecurityPageTests {
  private static let threats = ["threat", "what holds", "what does not", "shown by"]

  /// The cells of each row of the table.
  private static func rows(of page: String) -> [[String]] {
    let lines = page.split(separator: "\n").map(String.init)
    guard let head = lines.firstIndex(where: { cells(of: $0) == threats }) else { return [] }
    return lines[(head + 2)...].prefix { $0.hasPrefix("|") }.map(cells)
  }

  private static func cells(of line: String) -> [String] {
    line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { $0.split(separator: " ").joined(separator: " ") }
  }

  /// What is named in the last cell of a row: `Suite.test`.
  private static func tests(in row: [String]) -> [String] {
    guard let cell = row.last else { return [] }
    let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
  }

  /// The tests of the project, in Swift and in Python.
  private static func isThere(_ name: String, in files: [String]) -> Bool {
    let parts = name.split(separator: ".").map(String.init)
    guard parts.count == 2 else { return false }
    return files.contains { text in
      (text.contains("struct \(parts[0])") && text.contains("func \(parts[1])("))
        || (text.contains("class \(parts[0])") && text.contains("def \(parts[1])("))
    }
  }

  private static let files: [String] = {
    let folder = ProjectFolder().path
    let swift = FileTree.files(below: "\(folder)/Tests", ending: ".swift")
    let python = ["\(folder)/Tests", "\(folder)/editors/python/tests"].flatMap {
      FileTree.files(below: $0, ending: ".py")
    }
    return (swift + python).compactMap { FileTree.text(of: $0) }
  }()

  @Test func eachThreatHasATestThatIsThere() throws {
    let page = try #require(FileTree.text(of: "\(ProjectFolder().path)/README.md"))
    let rows = Self.rows(of: page)
    #expect(rows.count > 10)
    for row in rows {
      #expect(row.count == Self.threats.count)
      let tests = Self.tests(in: row)
      #expect(!tests.isEmpty, "no test shows what is said of: \(row.first ?? "")")
      for test in tests { #expect(Self.isThere(test, in: Self.files), "there is no \(test)") }
    }
    #expect(!Self.isThere("SecurityPageTests.aTestThatIsNotThere", in: Self.files))
  }
}
