/// Messages in the order in which they came, some of which have to wait.
struct CallQueue {
  enum Entry {
    case call(IncomingCall)
    /// To be answered with an error, in its turn.
    case refused(ReplyAddress, RPCError)
    case response(Response)
    case strayResponse
  }

  /// Nil: taken out already.
  private var entries: [Entry?] = []
  /// Everything before this has been taken out.
  private var headIndex = 0
  /// Everything before this has been taken out or is held.
  private var scanIndex = 0
  /// Everything before this has bytes of its own.
  private var ownedIndex = 0

  /// What all that waits weighs, in bytes.
  private(set) var weight = 0

  var isEmpty: Bool { headIndex == entries.count }

  mutating func append(_ entry: consuming Entry) {
    weight += entry.weight
    entries.append(entry)
  }

  /// Gives each call that waits bytes of its own.
  mutating func own() {
    for index in max(ownedIndex, headIndex)..<max(ownedIndex, headIndex, entries.count) {
      if case .call(let call)? = entries[index] { entries[index] = .call(call.owned()) }
    }
    ownedIndex = entries.count
  }

  /// Removes and returns the next message that is not held; `nil` if there is none, or if it is a
  /// call of more than `callWeightMax` bytes, which no later message overtakes.
  ///
  /// What was held once stays held until `releaseHeld` is called, so that nothing is asked about
  /// twice.
  mutating func next(callWeightMax: Int = .max, holding isHeld: (String) -> Bool) -> Entry? {
    while scanIndex < entries.count {
      let index = scanIndex
      scanIndex += 1
      // Moved out and not copied: a call has many parts that are counted.
      guard let entry = entries[index].take() else { continue }
      if let method = entry.method, isHeld(method) {
        entries[index] = entry
        continue
      }
      if case .call(let call) = entry, call.address.weight > callWeightMax {
        entries[index] = entry
        scanIndex = index
        return nil
      }
      didDequeue(entry)
      return entry
    }
    return nil
  }

  /// Removes and returns the next response, which overtakes calls.
  mutating func nextResponse() -> Response? {
    for index in scanIndex..<max(scanIndex, entries.count) {
      if case .response(let response)? = entries[index] {
        entries[index] = nil
        didDequeue(.response(response))
        return response
      }
    }
    return nil
  }

  /// What was held is asked about anew.
  mutating func releaseHeld() { scanIndex = headIndex }

  /// Takes out a call that has not begun.
  mutating func remove(_ number: UInt64) -> IncomingCall? {
    for index in headIndex..<entries.count {
      if case .call(let call)? = entries[index], call.address.number == number {
        entries[index] = nil
        didDequeue(.call(call))
        return call
      }
    }
    return nil
  }

  private mutating func didDequeue(_ entry: Entry) {
    weight -= entry.weight
    while headIndex < entries.count, entries[headIndex] == nil { headIndex += 1 }
    if headIndex == entries.count {
      entries.dropTaken(keepingCountMax: Self.keptCountMax)
      (headIndex, scanIndex, ownedIndex) = (0, 0, 0)
    }
  }

  private static let keptCountMax = 1_024
}

extension CallQueue.Entry {
  /// What is asked for, where it can be held.
  fileprivate var method: String? {
    switch self {
    case .call(let call): call.method
    case .refused, .response, .strayResponse: nil
    }
  }

  fileprivate var weight: Int {
    switch self {
    case .call(let call): call.address.weight
    case .refused(let address, _): address.weight
    case .response, .strayResponse: ConnectionLimits.bytesPerMessage
    }
  }
}
