import CSQLite
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase
@testable import TodoStores

/// Tests that a store of each earlier version is complete after the update. The tables of the
/// fixture are compared with those of the updated store, column by column.
@Suite struct SchemaFixtureTests {
  private let folder = TemporaryFolder()

  static let versions = (Schema.todos.versionMin..<Schema.todos.version).filter {
    !StoreFixture.unusedVersions.contains($0)
  }
  /// The versions that stored undo steps, because they had no log of changes yet.
  static let versionsWithSteps = versions.filter { $0 < 10 }

  @Test func eachVersionHasAFixture() throws {
    #expect(Schema.todos.version == StoreFixture.currentVersion)
    #expect(StoreFixture.versions == Self.versions)
    for version in Self.versions {
      let fixture = try InspectedDatabase(path: StoreFixture(version: version).path)
      #expect(try fixture.header.version == version)
    }
  }

  /// Returns the fixture, and an updated copy of it.
  private func databases(_ version: Int) throws -> (old: InspectedDatabase, new: InspectedDatabase)
  {
    let fixture = StoreFixture(version: version)
    let path = folder.path("todos.sqlite")
    try #require(fixture.copy(to: path))
    try update(path)
    return (try InspectedDatabase(path: fixture.path), try InspectedDatabase(path: path))
  }

  private func update(_ path: String) throws {
    _ = try Database(at: .file(path), schema: .todos, now: { Timestamp(milliseconds: 0) })
  }

  @Test(arguments: versions)
  func everyColumnIsPreserved(version: Int) throws {
    let (old, new) = try databases(version)
    let tables = try old.texts(
      """
      SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
        AND name NOT LIKE 'sqlite_%' ORDER BY name
      """)
    #expect(tables.contains("todo") && tables.contains("account"))
    for table in tables where !OldColumn.historyTables.contains(table) {
      var columns = try old.columns(of: table).map { column in
        OldColumn.changed(column, of: table, in: version) ?? OldColumn(column)
      }
      // Rows are compared as a whole.
      columns.removeAll { $0.new == nil }
      let newTable = OldColumn.table(table)
      let known = try new.columns(of: newTable)
      for column in columns where column.old == column.new && !column.old.contains("(") {
        #expect(known.contains(column.old), "\(table).\(column.old) is lost")
      }
      let before = try old.rows(columns.map(\.old), of: table)
      let after = try new.rows(columns.compactMap(\.new), of: newTable)
      #expect(before == after, "\(table)")
    }
  }

  @Test(arguments: versionsWithSteps)
  func everyEarlierContentIsPreserved(version: Int) throws {
    let (old, _) = try databases(version)
    let contents = try Statement(
      """
      SELECT list, todo.name, this.version, this.title, coalesce((
        SELECT later.note FROM todo_version AS later
        WHERE later.todo = this.todo AND later.version >= this.version AND later.note IS NOT NULL
        ORDER BY later.version LIMIT 1), note.text), this.is_done
      FROM todo_version AS this JOIN todo USING (list) JOIN note ON note.todo = todo.id
      WHERE todo.id = this.todo ORDER BY this.list, this.sequence
      """, on: old.connection
    ).all { row in
      EarlierContent(
        list: row.integer(0), id: TodoID(row.text(1)), version: row.integer(2),
        content: TodoContent(title: row.text(3), note: row.text(4), isDone: row.flag(5)))
    }
    #expect(!contents.isEmpty)
    let store = try SQLiteStore(at: .file(folder.path("todos.sqlite")), environment: .counting())
    try store.database.withWriter { connection throws(TodoError) in
      let tables = connection.part(TodoTables.self)
      for earlier in contents {
        let stored = try tables.todos.stored(earlier.id, in: earlier.list)
        let content = try stored.map { stored throws(TodoError) in
          try tables.log.content(of: stored, at: earlier.version)
        }
        #expect(content == earlier.content, "\(earlier.id) \(earlier.version)")
      }
    }
  }

  /// Each undo step has become a change that can be undone or redone, in the same order.
  @Test(arguments: versionsWithSteps)
  func everyUndoStepIsPreserved(version: Int) throws {
    let (old, new) = try databases(version)
    let steps = try old.rows(
      [
        "list", "'todo/' || name", "there", "session", "iif(is_undone, 'redo', 'undo')", "title",
        "note",
      ], of: "step ORDER BY list, turn")
    let changes = try new.rows(
      [
        "list", "entry", "json_extract(before, '$.version')", "session", "reversal",
        "json_extract(before, '$.title')", "json_extract(before, '$.note')",
      ], of: "change WHERE reversal IS NOT NULL ORDER BY list, sequence")
    #expect(!steps.isEmpty)
    #expect(steps.count == changes.count)
    for (step, change) in zip(steps, changes) {
      // For a removal, neither the step nor the change has the text; a change may have more than
      // its step.
      #expect(zip(step, change).allSatisfy { $0 == $1 || $0 == "NULL" }, "\(step) \(change)")
    }
  }

  /// The details of stored items are fetched by the next load.
  @Test func nextLoadRequestsEverything() throws {
    _ = try databases(17)
    let store = try SQLiteStore(at: .file(folder.path("todos.sqlite")), environment: .counting())
    let list = TodoListKey(profile: "ann", source: "github:octo/seventeen")
    let record = try store.remote(of: list)
    #expect(record.isComplete && record.cursor != nil && record.loadedAt == nil)
    #expect(try store.openCounts(of: .local, on: .sample).overdue == 0)
    #expect(try store.rows(TodoQuery(text: "due:2026-12-05"), in: .local).total == 1)
  }

  @Test(arguments: versions)
  func everyWordCanBeSearched(version: Int) throws {
    _ = try databases(version)
    let store = try SQLiteStore(at: .file(folder.path("todos.sqlite")), environment: .counting())
    try store.database.withWriter { connection throws(TodoError) in
      try connection.execute(
        "INSERT INTO todo_text (todo_text, rank) VALUES ('integrity-check', 1)")
      let problems = try Statement("PRAGMA integrity_check", on: connection).all { $0.text(0) }
      #expect(problems == ["ok"])
      #expect(try connection.number("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    }
  }
}

private struct EarlierContent {
  let list: Int64
  let id: TodoID
  let version: Int64
  let content: TodoContent
}

/// A column of an older table, and where its values are now. Both are SQL expressions, for the
/// older and the present table.
private struct OldColumn {
  let old: String
  /// The expression for the present table; `nil` if an update leaves the column out on purpose, or
  /// if another test compares it.
  let new: String?

  /// The older tables that are not compared by column, because their rows (steps and versions)
  /// became changes.
  static let historyTables: Set = ["step", "todo_version"]

  init(_ old: String, _ new: String?) { (self.old, self.new) = (old, new) }

  /// A column that has not changed.
  init(_ name: String) { self.init(name, name) }

  /// Returns the present name of an older table.
  static func table(_ name: String) -> String { name == "document_text" ? "plain_line" : name }

  /// An SQL expression for the rank of a todo: the number of todos before it in its list.
  private static let rank = """
    (SELECT count(*) FROM todo AS other WHERE other.list = todo.list
      AND (other.place, other.id) < (todo.place, todo.id))
    """

  /// Returns the mapping of a changed column; `nil` if it has not changed.
  static func changed(_ column: String, of table: String, in version: Int) -> OldColumn? {
    switch (table, column) {
    case ("delivery", "title"), ("delivery", "note"), ("outbox", "title"), ("outbox", "note"),
      ("document_held", "title"), ("document_held", "note"):
      OldColumn(column, "json_extract(content, '$.\(column)')")
    case ("delivery", "is_done"), ("outbox", "is_done"), ("document_held", "is_done"):
      OldColumn(column, "json_extract(content, '$.done')")
    case ("document_deed", "name"):
      OldColumn("name", "substr(entry, 6)")
    // They have their own table now.
    case ("document_text", "digest"), ("document_text", "since"), ("document_text", "until"):
      OldColumn(
        column, "(SELECT \(column) FROM document_text_span WHERE text = plain_line.id)")
    // The plain lines belong to the list, and have an order with its todos, which another test compares.
    case ("document_text", "document"):
      OldColumn("(SELECT list FROM document WHERE document.id = document)", "list")
    case ("document_text", "place"), ("document_text", "below"): OldColumn(column, nil)
    case ("todo", "place") where version > 4: OldColumn(rank, rank)
    case ("remote", "validator_url"), ("remote", "validator"), ("remote", "validator_token"):
      OldColumn(column, nil)
    // The next load requests everything again.
    case ("remote", "loaded_at") where version < 19: OldColumn(column, nil)
    case ("list", "turn"), ("list", "order_version"), ("list", "text_version"),
      ("list", "edit_version"):
      OldColumn(column, nil)
    case _ where version == 4: first(column, of: table)
    case _: nil
    }
  }

  /// Returns the mapping of a changed column of version 4, which identified issues by number, and
  /// stored the names of repositories as the user wrote them.
  private static func first(_ column: String, of table: String) -> OldColumn? {
    switch (table, column) {
    case ("todo", "origin_number"): OldColumn("CAST(origin_number AS TEXT)", "remote_key")
    case ("todo", "origin_url"): OldColumn("origin_url", "remote_url")
    case ("todo", "place"):
      OldColumn(
        "iif(origin_number IS NULL, place, \(RemoteItem.orderMax) - origin_number)", "place")
    case ("todo", "search_title"), ("note", "search"): OldColumn(column, nil)
    case ("list", "source"): OldColumn("lower(source)", "source")
    case _: nil
    }
  }
}

extension InspectedDatabase {
  fileprivate func columns(of table: String) throws(TodoError) -> [String] {
    try texts("SELECT name FROM pragma_table_info('\(table)')")
  }

  /// Returns the rows of a table as SQL literals, sorted by these columns unless `table` contains
  /// an `ORDER BY` clause.
  fileprivate func rows(_ columns: [String], of table: String) throws(TodoError) -> [[String]] {
    let numbers = columns.indices.map { "\($0 + 1)" }.joined(separator: ", ")
    let order = table.contains("ORDER BY") ? "" : " ORDER BY \(numbers)"
    let values = columns.map { "quote(\($0))" }.joined(separator: ", ")
    return try Statement("SELECT \(values) FROM \(table)\(order)", on: connection).all { row in
      columns.indices.map { row.text(Int32($0)) }
    }
  }
}
