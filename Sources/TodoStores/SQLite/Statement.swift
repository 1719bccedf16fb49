import CSQLite
import TodoModel

/// A value that SQLite can keep.
enum SQLValue {
  case null
  case integer(Int64)
  case text(String)

  init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }
  init(_ number: Int64?) { self = number.map(SQLValue.integer) ?? .null }
  init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
}

/// The row that a statement stands on.
struct Row {
  let statement: OpaquePointer

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func flag(_ column: Int32) -> Bool { integer(column) != 0 }

  /// The text of a column byte for byte, also where it holds U+0000.
  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(statement, column)) }

  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}

/// A statement that was prepared once and is used again and again.
final class Statement {
  private let handle: OpaquePointer
  private let failure: StorageFailure

  init(_ sql: String, on database: OpaquePointer, failure: StorageFailure) throws(TodoError) {
    var handle: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = sqlite3_prepare_v3(database, sql, -1, flags, &handle, nil)
    guard code == SQLITE_OK, let handle else { throw failure.error(code, on: database) }
    self.handle = handle
    self.failure = failure
  }

  deinit { sqlite3_finalize(handle) }

  /// Runs the statement once and hands each row to `body`, until that returns false.
  func run(
    _ values: [SQLValue], _ body: (Row) throws(TodoError) -> Bool
  ) throws(TodoError) {
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
    for (index, value) in values.enumerated() {
      let code = bind(value, at: Int32(index + 1))
      guard code == SQLITE_OK else { throw failure.error(code) }
    }
    while true {
      let code = sqlite3_step(handle)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw failure.error(code, on: sqlite3_db_handle(handle)) }
      guard try body(Row(statement: handle)) else { return }
    }
  }

  private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let number): return sqlite3_bind_int64(handle, index, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          sqlite3_bind_text64(
            handle, index, characters.baseAddress ?? emptyText, UInt64(characters.count),
            copyAtOnce, UInt8(SQLITE_UTF8))
        }
      }
    }
  }
}

/// Tells SQLite to copy a value while it is bound; the C macro is a cast that Swift cannot import.
nonisolated(unsafe) private let copyAtOnce = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// An empty text is not NULL, so it needs an address.
nonisolated(unsafe) private let emptyText: UnsafePointer<CChar> = {
  let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
  byte.initialize(to: 0)
  return UnsafePointer(byte)
}()
