/// The number and the total size of the calls in flight, with their limits.
struct CallBudget {
  private let countMax: Int
  private let bytesMax: Int
  private(set) var count = 0
  private var byteCount = 0

  init(_ limits: ConnectionLimits) {
    (countMax, bytesMax) = (limits.callsInFlightMax, limits.inFlightBytesMax)
  }

  /// Whether fewer calls than the maximum are in flight, so that another call of up to
  /// `callBytesMax` bytes may start.
  var hasRoom: Bool { count < countMax }

  /// The maximum size of the next call, in bytes. It is at least the size of a small call
  /// (`ConnectionLimits.smallCallBytesMax`). If no call is in flight, there is no maximum.
  var callBytesMax: Int {
    count == 0 ? .max : max(bytesMax - byteCount, ConnectionLimits.smallCallBytesMax)
  }

  mutating func begin(_ address: ReplyAddress) {
    guard address.countsInFlight else { return }
    count += 1
    byteCount += address.weight
  }

  mutating func end(_ address: ReplyAddress) {
    guard address.countsInFlight else { return }
    count -= 1
    byteCount -= address.weight
  }
}

extension ReplyAddress {
  fileprivate var countsInFlight: Bool { expectsResponse || isRetained }
}
