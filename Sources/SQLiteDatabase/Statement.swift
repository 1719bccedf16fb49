import CSQLite
import TodoModel

/// A statement of a connection, prepared on first use and then reused.
///
/// Modules store each of their statements in a property:
///
///     private lazy var byName = Statement("SELECT id FROM todo WHERE name = ?", on: connection)
///     ...
///     try byName.first(.text(name)) { row in row.integer(0) }
package final class Statement {
  private let sql: String
  private unowned let connection: Connection
  private var prepared: OpaquePointer?

  package init(_ sql: String, on connection: Connection) {
    self.sql = sql
    self.connection = connection
  }

  deinit { sqlite3_finalize(prepared) }

  package func run(_ values: SQLValue...) throws(TodoError) { try run(values) }

  package func run(_ values: [SQLValue]) throws(TodoError) {
    try step(values) { _ throws(TodoError) in true }
  }

  /// Runs the statement, and returns the result of `read` for the first row; `nil` if there is no
  /// row.
  package func first<Value>(
    _ values: SQLValue..., read: (Row) throws(TodoError) -> Value
  ) throws(TodoError) -> Value? {
    try first(values, read: read)
  }

  package func first<Value>(
    _ values: [SQLValue], read: (Row) throws(TodoError) -> Value
  ) throws(TodoError) -> Value? {
    let handle = try handle()
    defer { reset(handle) }
    try bind(values, to: handle)
    guard try step(handle) else { return nil }
    let value = try read(Row(statement: handle))
    try finishChange(handle)
    return value
  }

  package func all<Value>(
    _ values: SQLValue..., read: (Row) throws(TodoError) -> Value
  ) throws(TodoError) -> [Value] {
    var elements: [Value] = []
    try step(values) { row throws(TodoError) in
      elements.append(try read(row))
      return true
    }
    return elements
  }

  /// Runs the statement, and calls `body` with each row until `body` returns `false`.
  package func each(
    _ values: [SQLValue] = [], _ body: (Row) throws(TodoError) -> Bool
  ) throws(TodoError) {
    try step(values, body)
  }

  private func step(
    _ values: [SQLValue], _ body: (Row) throws(TodoError) -> Bool
  ) throws(TodoError) {
    let handle = try handle()
    defer { reset(handle) }
    try bind(values, to: handle)
    while try step(handle) {
      guard try body(Row(statement: handle)) else { return try finishChange(handle) }
    }
  }

  private func bind(_ values: [SQLValue], to handle: OpaquePointer) throws(TodoError) {
    for (index, value) in values.enumerated() {
      let code = value.bind(to: handle, at: Int32(index + 1))
      guard code == SQLITE_OK else { throw connection.failure.error(code) }
    }
  }

  /// Runs the statement up to its next row; returns `false` after the last row.
  private func step(_ handle: OpaquePointer) throws(TodoError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw connection.failure.error(code, on: connection.handle)
    }
  }

  /// Runs the remaining steps of a statement that changes the database. If the statement were reset
  /// before its last step, the search index could not finish its work, and errors of that work
  /// would not be reported.
  private func finishChange(_ handle: OpaquePointer) throws(TodoError) {
    guard sqlite3_stmt_readonly(handle) == 0 else { return }
    while try step(handle) {}
  }

  private func reset(_ handle: OpaquePointer) {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  private func handle() throws(TodoError) -> OpaquePointer {
    if let prepared { return prepared }
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &prepared, nil)
    guard code == SQLITE_OK, let prepared else {
      throw connection.failure.error(code, on: connection.handle)
    }
    return prepared
  }
}

/// A value for a parameter of a statement.
package enum SQLValue {
  case null
  case integer(Int64)
  case text(String)

  package init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }
  package init(_ number: Int64?) { self = number.map(SQLValue.integer) ?? .null }
  package init(_ flag: Bool?) { self = flag.map { .integer($0 ? 1 : 0) } ?? .null }

  fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let number): return sqlite3_bind_int64(statement, index, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          sqlite3_bind_text64(
            statement, index, characters.baseAddress ?? emptyText, UInt64(characters.count),
            transient, UInt8(SQLITE_UTF8))
        }
      }
    }
  }
}

/// The current row of a statement.
package struct Row {
  let statement: OpaquePointer

  package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  /// The maximum magnitude of integers used in arithmetic. Adding two of them does not overflow,
  /// and all JSON parsers can represent them.
  package static let numberMax: Int64 = (1 << 53) - 1

  /// Returns an integer, clamped to `numberMax`, so that arithmetic with it does not overflow.
  package func number(_ column: Int32) -> Int64 {
    min(max(integer(column), -Self.numberMax), Self.numberMax)
  }

  /// Returns a count, which is never negative.
  package func count(_ column: Int32) -> Int { Int(max(0, number(column))) }

  /// The end of the year 9999, in milliseconds since 1970.
  package static let timeMax: Int64 = 253_402_300_799_999

  /// Returns a time, clamped to the years 0 to 9999.
  package func time(_ column: Int32) -> Timestamp {
    Timestamp(milliseconds: min(max(integer(column), -62_167_219_200_000), Self.timeMax))
  }

  package func optionalTime(_ column: Int32) -> Timestamp? { isNull(column) ? nil : time(column) }

  package func flag(_ column: Int32) -> Bool { integer(column) != 0 }

  /// Returns the text of a column, including any U+0000; empty if the value is null.
  package func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// Calls `body` with the bytes of a text. They are valid only during the call.
  func withBytes<Value>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    let bytes = sqlite3_column_text(statement, column)
    return body(UnsafeRawBufferPointer(start: bytes, count: byteCount(column)))
  }

  package func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(statement, column)) }

  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  package func optionalInteger(_ column: Int32) -> Int64? {
    isNull(column) ? nil : integer(column)
  }

  package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}

/// The value of `SQLITE_TRANSIENT`, which makes SQLite copy a bound value. The C macro is a cast
/// that Swift cannot import.
nonisolated(unsafe) private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// The address of an empty text. A null pointer would bind NULL instead.
nonisolated(unsafe) private let emptyText: UnsafePointer<CChar> = {
  let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
  byte.initialize(to: 0)
  return UnsafePointer(byte)
}()
