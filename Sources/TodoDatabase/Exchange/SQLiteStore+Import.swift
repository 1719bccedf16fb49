import JSONRPC
import SQLiteDatabase
import TodoModel

/// What an import did.
package struct ImportReport: Sendable, Equatable {
  package var addedCount = 0
  /// Todos that the store had already, just so.
  package var knownCount = 0
}

/// Reading what was exported.
extension SQLiteStore {
  package func importLines(of text: String) throws(TodoError) {
    _ = try importLines(LineReader(text: text), profile: nil)
  }

  /// Adds all todos of an export, or none. Ids, versions, times and order stay as they are.
  ///
  /// A todo that the store has already, just so, is left; one whose id is taken by another content
  /// is an error. No step of the history is made of an import.
  ///
  /// - Parameter profile: Whose todos they become; nil: whose they were.
  ///
  /// Throws `validation` that begins with the number of the line that is wrong, or `storage`.
  package func importLines(
    _ lines: consuming LineReader, profile: String?
  ) throws(TodoError) -> ImportReport {
    if let profile, let problem = ProfileRules.nameProblem(profile) {
      throw .validation([FieldProblem(field: "name", message: problem)])
    }
    var lines = lines
    return try database.withWriter { connection throws(TodoError) in
      // A change of this size does not fit in what SQLite keeps of pages by itself.
      try connection.execute("PRAGMA cache_size = \(-Self.importCacheKilobytes)")
      defer { try? connection.execute("PRAGMA cache_size = \(-Self.cacheKilobytes)") }
      return try connection.change { () throws(TodoError) in
        var lists = try ImportedLists(
          profile: profile, environment: environment, over: connection)
        do throws(TodoError) {
          while let members = try lines.next(Self.members) {
            if let members { try lists.take(members) }
            lists.lineNumber = lines.number + 1
          }
          try lists.finish()
        } catch {
          guard error.kind == .validation else { throw error }
          throw .validation([
            FieldProblem(
              field: "line \(lists.lineNumber)",
              message: "line \(lists.lineNumber): \(error.message) Nothing was imported.")
          ])
        }
        if lists.report.addedCount >= Self.joinedCountMin {
          try TodoSchema.joinSearchIndex(of: connection)
        }
        return lists.report
      }
    }
  }

  private static var joinedCountMin: Int { 1_000 }
  private static var importCacheKilobytes: Int { 32_768 }
  /// As SQLite has it.
  private static var cacheKilobytes: Int { 2_000 }

  /// Nil for an empty line.
  private static func members(_ line: UnsafeRawBufferPointer) throws(TodoError) -> JSONObject? {
    guard line.contains(where: { $0 > 0x20 }) else { return nil }
    do {
      guard let members = try JSON(parsing: line).objectValue else {
        throw TodoError.wrongLine("This is no JSON object.")
      }
      return members
    } catch let error as JSONError {
      throw .wrongLine("This is no JSON: \(error).")
    } catch {
      throw .wrongLine("This is no JSON object.")
    }
  }
}

/// Where an import stands: which list the next todo belongs to.
private struct ImportedLists {
  let profile: String?
  let environment: Environment
  private let tables: TodoTables
  private var staging: ImportStaging
  var lineNumber = 1
  var report = ImportReport()
  private var hasHeader = false
  private var list: (key: TodoListKey, number: Int64)?
  /// Of the list: how many were announced, and in which line; how many have come.
  private var announced: (count: Int64, line: Int)?
  private var seenCount: Int64 = 0
  /// Where a todo without an order goes.
  private var nextPlace: Int64 = 0

  init(
    profile: String?, environment: Environment, over connection: Connection
  ) throws(TodoError) {
    self.profile = profile
    self.environment = environment
    tables = connection.tables
    staging = try ImportStaging(over: connection)
  }

  mutating func take(_ members: JSONObject) throws(TodoError) {
    guard hasHeader else {
      try ExchangeLine.checkHeader(members)
      hasHeader = true
      return
    }
    if let next = try ExchangeList(members) {
      try checkCount()
      try begin(next)
      return
    }
    if list == nil {
      guard let profile else {
        throw .wrongLine("A line with a \"list\" has to come first, or name one with --name.")
      }
      try begin(ExchangeList(key: TodoListKey(profile: profile, source: ""), count: nil))
    }
    guard let list else { return }
    let stored = try TodoLine.stored(
      members, in: list.key, place: nextPlace, environment: environment)
    seenCount += 1
    nextPlace = max(nextPlace, min(stored.place, TodoColumns.integerMax - 1) + 1)
    guard try isFree(stored, in: list.number) else {
      report.knownCount += 1
      return
    }
    guard try staging.add(stored, to: list.number) else {
      throw .wrongLine("Another line has the same id or the same issue. Remove one of them.")
    }
    report.addedCount += 1
  }

  private mutating func begin(
    _ next: ExchangeList
  ) throws(TodoError) {
    // The next place in a list is known only when everything before is in it.
    try staging.empty()
    let key = TodoListKey(profile: profile ?? next.key.profile, source: next.key.source)
    let number = try tables.lists.number(of: key)
    list = (key, number)
    announced = next.count.map { ($0, lineNumber) }
    seenCount = 0
    nextPlace = try tables.exchange.placeBelow(in: number)
  }

  mutating func finish() throws(TodoError) {
    guard hasHeader else { throw .wrongLine("The input is empty: no export begins like this.") }
    try checkCount()
    try staging.empty()
  }

  /// A file that was cut off is not taken for a whole one.
  private func checkCount() throws(TodoError) {
    guard let announced, announced.count != seenCount else { return }
    throw .wrongLine(
      "Line \(announced.line) announces \(announced.count) todos, and \(seenCount) came: "
        + "the file is not whole.")
  }

  /// False when the list has just this todo already. Throws `validation` where another one has its
  /// id or its issue.
  private func isFree(_ new: StoredTodo, in list: Int64) throws(TodoError) -> Bool {
    if let old = try tables.todos.stored(new.todo.id, in: list) {
      if old.isSame(as: new) { return false }
      let id = "The id \"\(new.todo.id)\" is taken"
      throw .wrongLine(
        old.isRemoved && !new.isRemoved
          ? "\(id): that todo was removed from this list, and can be brought back with undo. "
            + "Do that, or import under another --name."
          : "\(id): the list has a todo of that id with another content. "
            + "Remove the line, or import under another --name.")
    }
    if let key = new.key, try tables.todos.stored(key: key, in: list) != nil {
      throw .wrongLine(
        "Issue \(key) is in this list already, under another id. Remove the line.")
    }
    return true
  }
}

extension StoredTodo {
  /// Whether nothing differs but the order, which is the list's own business.
  fileprivate func isSame(as other: StoredTodo) -> Bool {
    todo == other.todo && isRemoved == other.isRemoved && base == other.base
      && theirs == other.theirs
  }
}
