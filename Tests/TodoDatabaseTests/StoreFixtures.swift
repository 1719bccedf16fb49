import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

// Swift Testing has a type of this name, too.
typealias Issue = TodoModel.Issue

extension Schema {
  /// The schema of this module; TodoStores adds the tables of accounts.
  fileprivate static let ofTodos = Schema(
    applicationID: 0x746F_646F, version: 24, versionMin: 4,
    parts: [
      TodoSchema(), DocumentSchema(), DraftSchema(), ExportSchema(), AgendaSchema(),
      EntrySchema(), MarkSchema(),
    ])
}

extension SQLiteStore {
  /// Opens a database of todos and documents.
  convenience init(
    at location: SQLiteLocation, environment: Environment, views: [String: RemoteView] = [:]
  ) throws(TodoError) {
    self.init(
      over: try Database(at: location, schema: .ofTodos, now: environment.now),
      environment: environment, views: views)
  }

  /// Changes the limits of the log of changes.
  func limitLog(_ change: @Sendable (inout ChangeLimits) -> Void) throws {
    try withConnection { connection throws(TodoError) in change(&connection.tables.log.limits) }
  }

  func withConnection<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    try database.withWriter(body)
  }
}

extension Connection {
  /// Returns the first column of each row.
  func texts(_ sql: String) throws(TodoError) -> [String] {
    try Statement(sql, on: self).all { row in row.text(0) }
  }
}
