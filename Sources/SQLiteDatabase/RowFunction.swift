import CSQLite
import TodoModel

/// An SQL function that passes its argument, a row number, to a closure while a statement runs.
/// Returning 100,000 rows one by one would take three times as long as finding them.
package final class RowFunction {
  private let name: String
  private unowned let connection: Connection
  private var isRegistered = false
  /// The closure that is called with each row number while a statement runs; otherwise `nil`.
  fileprivate var receive: ((Int64) -> Void)?

  package init(_ name: String, on connection: Connection) {
    self.name = name
    self.connection = connection
  }

  /// Runs `body`. While it runs, calls of this function in statements report their rows to
  /// `receive`.
  package func withReceiver(
    _ receive: (Int64) -> Void, during body: () throws(TodoError) -> Void
  ) throws(TodoError) {
    if !isRegistered { try register() }
    let outcome = withoutActuallyEscaping(receive) { receive in
      self.receive = receive
      defer { self.receive = nil }
      return Result { () throws(TodoError) in try body() }
    }
    try outcome.get()
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
  Unmanaged<RowFunction>.fromOpaque(function).takeUnretainedValue()
    .receive?(sqlite3_value_int64(value))
}

private func endRows(_ context: OpaquePointer?) {}
