import CSQLite
import TodoModel

/// An SQL function with one argument that reports row numbers while a statement runs. Returning
/// 100,000 rows one by one would take three times as long as finding them.
package final class RowFunction {
  private let name: String
  private unowned let connection: Connection
  private var isRegistered = false
  /// The row numbers that were not reported yet. They are reported in groups, because a call of a
  /// closure for each row takes as long as finding the row.
  private var rows: [Int64] = []
  private var receive: (([Int64]) -> Void)?

  private static let groupMax = 512

  package init(_ name: String, on connection: Connection) {
    self.name = name
    self.connection = connection
  }

  /// Runs `body`. While its statements run, `receive` gets the row numbers that they pass to this SQL
  /// function, in groups.
  package func withReceiver(
    _ receive: ([Int64]) -> Void, during body: () throws(TodoError) -> Void
  ) throws(TodoError) {
    if !isRegistered { try register() }
    let outcome = withoutActuallyEscaping(receive) { receive in
      self.receive = receive
      defer { self.receive = nil }
      let outcome = Result { () throws(TodoError) in try body() }
      report()
      return outcome
    }
    try outcome.get()
  }

  fileprivate func add(_ row: Int64) {
    rows.append(row)
    if rows.count == Self.groupMax { report() }
  }

  private func report() {
    receive?(rows)
    rows.removeAll(keepingCapacity: true)
  }

  private func register() throws(TodoError) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let code = sqlite3_create_function_v2(
      connection.handle, name, 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, context, nil, receiveRow,
      endRows, nil)
    guard code == SQLITE_OK else { throw connection.failure.error(code) }
    isRegistered = true
  }
}

/// The implementation of the SQL function. The `RowFunction` lives as long as the connection, which
/// outlives its statements.
private func receiveRow(
  _ context: OpaquePointer?, _ count: CInt, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let function = sqlite3_user_data(context), let value = values?[0] else { return }
  Unmanaged<RowFunction>.fromOpaque(function)._withUnsafeGuaranteedRef {
    $0.add(sqlite3_value_int64(value))
  }
}

private func endRows(_ context: OpaquePointer?) {}
