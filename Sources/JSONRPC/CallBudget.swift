/// The number and the bytes of the calls in flight, and their limits.
struct CallBudget {
  private let countMax: Int
  private let bytesMax: Int
  private(set) var count = 0
  private var byteCount = 0

  init(_ limits: ConnectionLimits) {
    (countMax, bytesMax) = (limits.callsInFlightMax, limits.inFlightBytesMax)
  }

  /// Whether another call may begin, if it is not too large.
  var hasRoom: Bool { count < countMax }

  /// The most bytes that the next call may have.
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
  fileprivate var countsInFlight: Bool { wantsAnswer || isRetained }
}
