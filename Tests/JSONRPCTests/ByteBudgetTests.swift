import JSONRPC
import Testing

/// Tests the limits on the bytes of calls, from the receipt of a call to its answer.
struct ByteBudgetTests {
  private func line(_ text: String) -> [UInt8] { Array((text + "\n").utf8) }

  /// Returns a request with params of about this size.
  private func request(_ id: Int, byteCount: Int = 2) -> [UInt8] {
    line(
      #"{"jsonrpc":"2.0","id":\#(id),"method":"a","#
        + #""params":{"x":"\#(String(repeating: "x", count: byteCount))"}}"#)
  }

  private func cancel(_ id: Int) -> [UInt8] {
    line(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"#)
  }

  private func begin(_ connection: inout JSONRPCConnection<JSON>) -> [IncomingCall] {
    var calls: [IncomingCall] = []
    while let arrival = connection.next() {
      if case .call(let call) = arrival { calls.append(call) }
    }
    return calls
  }

  private func ids(_ calls: [IncomingCall]) -> [RequestID?] { calls.map(\.address.id) }

  /// Returns the id of each response, and the code of its error.
  private func answered(_ connection: inout JSONRPCConnection<JSON>) throws -> [[JSON?]] {
    connection.encode { answer, id, writer in writer.response(id: id, result: answer) }
    let text = connection.withPendingBytes { String(decoding: $0, as: UTF8.self) }
    connection.didWrite(text.utf8.count)
    return try text.split(separator: "\n").map { line in
      let json = try JSON(parsing: Array(line.utf8))
      return [json["id"], json["error"]?["code"]]
    }
  }

  private func connection(_ bytesMax: Int = 10_000) -> JSONRPCConnection<JSON> {
    JSONRPCConnection(limits: ConnectionLimits(inFlightBytesMax: bytesMax))
  }

  @Test func largeCallWaitsUntilAnotherIsAnswered() {
    var connection = connection()
    for id in 1...3 { connection.receive(request(id, byteCount: 6_000)) }
    let first = begin(&connection)
    #expect(ids(first) == [1])
    connection.answer(first[0].address, true)
    let second = begin(&connection)
    #expect(ids(second) == [2])
    connection.refuse(second[0].address, .requestFailed("no"))
    let third = begin(&connection)
    #expect(ids(third) == [3])
    connection.drop(third[0].address)
    connection.receive(request(4, byteCount: 9_000))
    let fourth = begin(&connection)
    #expect(ids(fourth) == [4])
  }

  @Test func oneCallMayBeLargerThanTheBudget() {
    var connection = connection()
    connection.receive(request(1, byteCount: 50_000))
    let started = begin(&connection)
    #expect(ids(started) == [1])
  }

  @Test func smallCallBeginsWhileTheBudgetIsFull() {
    var connection = connection()
    connection.receive(request(1, byteCount: 50_000))
    connection.receive(request(2, byteCount: 3_000))
    let started = begin(&connection)
    #expect(ids(started) == [1, 2])
  }

  @Test func laterCallsDoNotOvertakeACallThatExceedsTheBudget() {
    var connection = connection()
    connection.receive(request(1, byteCount: 6_000))
    connection.receive(request(2, byteCount: 6_000))
    connection.receive(request(3))
    let first = begin(&connection)
    #expect(ids(first) == [1])
    connection.answer(first[0].address, true)
    let next = begin(&connection)
    #expect(ids(next) == [2, 3])
  }

  @Test func cancelIsReadWhileTheBudgetIsFull() throws {
    var connection = connection()
    for id in 1...2 { connection.receive(request(id, byteCount: 20_000)) }
    let started = begin(&connection)
    #expect(ids(started) == [1])
    connection.receive(cancel(2) + cancel(1))
    #expect(try answered(&connection) == [[2, -32800]])
    guard case .cancelled(let address)? = connection.next() else {
      Issue.record("the cancel has not arrived")
      return
    }
    connection.refuse(address, .requestCancelled())
    connection.receive(request(3, byteCount: 20_000))
    let next = begin(&connection)
    #expect(ids(next) == [3])
  }

  @Test func readingPausesWhenLargeCallsWait() {
    var connection = JSONRPCConnection<JSON>(
      limits: ConnectionLimits(queuedBytesMax: 30_000, inFlightBytesMax: 10_000))
    var sentCount = 0
    while connection.wantsInput, sentCount < 60 {
      sentCount += 1
      connection.receive(request(sentCount, byteCount: 9_000))
      _ = begin(&connection)
    }
    #expect(sentCount == 5, "one is in flight, and four are queued")
  }

  @Test func callCountsWithItsRetainedBytes() {
    var connection = connection()
    for id in 1...3 { connection.receive(request(id, byteCount: 6_000)) }
    var retained: [ReplyAddress] = []
    while case .call(let call)? = connection.next() {
      retained.append(connection.setRetainedByteCount(call.address, byteCount: 10))
    }
    #expect(retained.map(\.id) == [1, 2, 3])
    for address in retained { connection.answer(address, true) }
    connection.receive(request(4, byteCount: 9_000))
    connection.receive(request(5, byteCount: 9_000))
    let started = begin(&connection)
    #expect(ids(started) == [4], "no share is released twice")
  }

  @Test func cancelledCallReleasesItsRetainedBytes() {
    var connection = connection()
    connection.receive(request(1))
    for call in begin(&connection) {
      _ = connection.setRetainedByteCount(call.address, byteCount: 9_000)
    }
    connection.receive(cancel(1))
    guard case .cancelled(let address)? = connection.next() else {
      Issue.record("the cancel has not arrived")
      return
    }
    connection.refuse(address, .requestCancelled())
    connection.receive(request(2, byteCount: 9_000) + request(3, byteCount: 9_000))
    let started = begin(&connection)
    #expect(ids(started) == [2])
  }

  @Test func retainedNotificationCountsUntilItEnds() throws {
    var connection = JSONRPCConnection<JSON>(limits: ConnectionLimits(callsInFlightMax: 1))
    connection.receive(line(#"{"jsonrpc":"2.0","method":"a"}"#))
    connection.receive(request(1))
    guard case .call(let call)? = connection.next() else {
      Issue.record("the notification has not come")
      return
    }
    let address = connection.setRetainedByteCount(call.address, byteCount: 0)
    let none = begin(&connection)
    #expect(none.isEmpty)
    connection.answer(address, true)
    let started = begin(&connection)
    #expect(ids(started) == [1])
    #expect(try answered(&connection).isEmpty)
  }

  @Test func responseArrivesWhileCallsWaitForRoom() {
    var connection = connection()
    let id = connection.request("ask")
    connection.receive(request(11, byteCount: 9_000))
    connection.receive(request(12, byteCount: 9_000))
    connection.receive(line(#"{"jsonrpc":"2.0","id":1,"result":"yes"}"#))
    guard case .call? = connection.next() else {
      Issue.record("the first call has not come")
      return
    }
    guard case .response(let response)? = connection.next() else {
      Issue.record("the call in flight could never end")
      return
    }
    #expect(response == Response(id: id, result: "yes"))
    #expect(connection.next() == nil)
  }

  @Test func notificationCountsForItsBytesUntilItIsRead() throws {
    var connection = JSONRPCConnection<JSON>(
      limits: ConnectionLimits(pendingOutputBytesMax: 10_000))
    connection.notify("a", ["text": .string(String(repeating: "x", count: 10_000))])
    connection.receive(request(1))
    let none = begin(&connection)
    #expect(none.isEmpty)
    _ = try answered(&connection)
    let started = begin(&connection)
    #expect(ids(started) == [1])
  }
}
