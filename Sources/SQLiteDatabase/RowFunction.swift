import CSQLite
import TodoModel

/// An SQL function that passes its argument, a row number, to a Swift closure while a statement
/// runs. Without the function, the statement would have to return its rows one by one. For 100,000
/// rows, this would take three times as long as finding them.
package final class RowFunction {
  private let name: String
  private unowned let connection: Connection
  private var isRegistered = false
  /// The row numbers that were not reported yet. They are in allocated memory, because Swift checks
  /// each access to a property at run time. This check takes a tenth of the time of finding a row.
  private let group: UnsafeMutablePointer<RowGroup>
  private var receive: ((UnsafeBufferPointer<Int64>) -> Void)?

  package init(_ name: String, on connection: Connection) {
    self.name = name
    self.connection = connection
    group = .allocate(capacity: 1)
    group.initialize(to: RowGroup())
    group.pointee.function = self
  }

  deinit {
    group.pointee.rows.deallocate()
    group.deallocate()
  }

  /// Runs `body`, and calls `receive` with groups of the row numbers that the statements of `body`
  /// pass to the SQL function.
  package func withReceiver(
    _ receive: (UnsafeBufferPointer<Int64>) -> Void, during body: () throws(TodoError) -> Void
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

  fileprivate func report() {
    receive?(UnsafeBufferPointer(start: group.pointee.rows, count: group.pointee.count))
    group.pointee.count = 0
  }

  private func register() throws(TodoError) {
    let code = sqlite3_create_function_v2(
      connection.handle, name, 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, group, nil, receiveRow,
      endRows, nil)
    guard code == SQLITE_OK else { throw connection.failure.error(code) }
    isRegistered = true
  }
}

/// Row numbers that are reported to the closure in one call. A separate call for each row would
/// take as long as finding the row.
private struct RowGroup {
  static let countMax = 512
  let rows = UnsafeMutablePointer<Int64>.allocate(capacity: countMax)
  var count = 0
  unowned(unsafe) var function: RowFunction?
}

/// The implementation of the SQL function. The `RowFunction` lives as long as the connection, which
/// outlives its statements.
private func receiveRow(
  _ context: OpaquePointer?, _ count: CInt, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let data = sqlite3_user_data(context), let value = values?[0] else { return }
  let group = data.assumingMemoryBound(to: RowGroup.self)
  group.pointee.rows[group.pointee.count] = sqlite3_value_int64(value)
  group.pointee.count += 1
  if group.pointee.count == RowGroup.countMax { group.pointee.function?.report() }
}

private func endRows(_ context: OpaquePointer?) {}
