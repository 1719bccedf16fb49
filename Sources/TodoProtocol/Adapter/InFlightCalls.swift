import JSONRPC
import ScreenModel

/// A call that was started and not answered yet.
struct InFlightCall {
  var address: ReplyAddress
  var method: MethodEntry
  var progressToken: RequestID?

  var token: OperationToken { OperationToken(number: address.number) }
}

/// The calls in flight, in the order of their arrival.
///
/// The calls are stored in an array instead of a dictionary, because there is rarely more than one.
/// Comparing the numbers of calls takes an eighth of the time of hashing.
struct InFlightCalls {
  private var calls: [InFlightCall] = []

  var isEmpty: Bool { calls.isEmpty }
  var tokens: [OperationToken] { calls.map(\.token) }

  subscript(_ token: OperationToken) -> InFlightCall? {
    let place = place(of: token)
    return isAt(place, token) ? calls[place] : nil
  }

  /// Inserts a call in the order of arrival. A call that was queued can be older than calls in
  /// flight.
  mutating func insert(_ call: consuming InFlightCall) {
    let place = place(of: call.token)
    if place == calls.count { calls.append(call) } else { calls.insert(call, at: place) }
  }

  mutating func remove(_ token: OperationToken) -> InFlightCall? {
    let place = place(of: token)
    guard isAt(place, token) else { return nil }
    return place == calls.count - 1 ? calls.removeLast() : calls.remove(at: place)
  }

  private func isAt(_ place: Int, _ token: OperationToken) -> Bool {
    place < calls.count && calls[place].address.number == token.number
  }

  /// Returns the index of a call, or the index at which it must be inserted.
  private func place(of token: OperationToken) -> Int {
    var (start, end) = (0, calls.count)
    while start < end {
      let middle = (start + end) / 2
      if calls[middle].address.number < token.number { start = middle + 1 } else { end = middle }
    }
    return start
  }
}
