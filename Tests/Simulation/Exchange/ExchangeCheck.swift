import TodoDatabase
import TodoModel
import TodoStores

/// A check that the export of a store is complete. The export is imported into the same store and
/// into a new one, and the contents are compared.
struct ExchangeCheck {
  let store: SQLiteStore
  let environment: Environment

  /// Runs the check. Throws `Violation` for a difference.
  ///
  /// - Returns: The lines of the export.
  @discardableResult
  func run() throws -> [String] {
    let lines = try Self.lines(of: store)
    let copy = try SQLiteStore(at: .memory, environment: environment)
    let report = try Self.importing(lines, into: copy)
    let todoCount = lines.count { $0.hasPrefix(#"{"id":"#) }
    guard report.addedCount == todoCount, report.knownCount == 0 else {
      throw Violation("of \(todoCount) todos, \(report) came to a new store")
    }
    try Self.compare(lines, Self.lines(of: copy), "an export of the copy")
    let own = try Self.importing(lines, into: store)
    try Self.compare(lines, Self.lines(of: store), "an export after the import of the own one")
    guard own == ImportReport(knownCount: todoCount) else {
      throw Violation("a store of \(todoCount) todos imported its own export as \(own)")
    }
    for profile in ExchangeSimulation.profiles {
      for source in ExchangeSimulation.sources {
        let list = TodoListKey(profile: profile, source: source)
        let (old, new) = (try Self.todos(of: list, store), try Self.todos(of: list, copy))
        guard old == new else { throw Violation("\(list) of the copy has other todos") }
      }
    }
    return lines
  }

  /// Imports the beginning of an export into a new store. The import must fail and leave the store
  /// unchanged.
  func runTruncated(_ lines: [String], count: Int) throws {
    let copy = try SQLiteStore(at: .memory, environment: environment)
    let before = try Self.lines(of: copy)
    do {
      let report = try Self.importing(Array(lines.prefix(count)), into: copy)
      throw Violation("the first \(count) of \(lines.count) lines were imported: \(report)")
    } catch let error as TodoError {
      guard error.kind == .validation, error.message.hasPrefix("line ") else {
        throw Violation("a truncated export is refused with: \(error)")
      }
    }
    try Self.compare(before, Self.lines(of: copy), "an export after a refused import")
  }

  // MARK: Stores and lines

  static func lines(of store: SQLiteStore) throws -> [String] {
    var bytes: [UInt8] = []
    try store.exportLines(of: .all) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func importing(
    _ lines: [String], into store: SQLiteStore
  ) throws -> ImportReport {
    var rest = lines[...]
    return try store.importLines(profile: nil) {
      rest.popFirst().map { Array("\($0)\n".utf8) } ?? []
    }
  }

  private static func compare(_ old: [String], _ new: [String], _ what: String) throws {
    if old == new { return }
    let index = zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset
    let at = index ?? min(old.count, new.count)
    func line(_ lines: [String]) -> String { at < lines.count ? lines[at] : "nothing" }
    throw Violation("\(what) differs in line \(at + 1): \(line(new)) in place of \(line(old))")
  }

  private static func todos(of list: TodoListKey, _ store: SQLiteStore) throws -> [Todo] {
    try store.todos(TodoQuery(limit: .max), in: list).elements
  }
}
