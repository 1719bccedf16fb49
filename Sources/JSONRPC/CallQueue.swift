/// The queued messages, in the order of their arrival. The program that uses the connection can
/// hold back the calls of an RPC method. These calls stay queued until they are released.
struct CallQueue {
  enum Entry {
    case call(IncomingCall)
    /// The error response to a message that is refused. The response is sent when its turn in the
    /// queue comes.
    case refused(ReplyAddress, RPCError)
    case response(Response)
    case unmatchedResponse
  }

  /// The entries; `nil` for an entry that was removed.
  private var entries: [Entry?] = []
  /// The number of entries removed from the front.
  private var headIndex = 0
  /// All entries before this index are removed or held back.
  private var scanIndex = 0
  /// All calls before this index own the bytes of their params; see `own()`.
  private var ownedIndex = 0

  /// The total size of the queued messages, in bytes, including `ConnectionLimits.bytesPerMessage`
  /// for each message.
  private(set) var weight = 0

  var isEmpty: Bool { headIndex == entries.count }

  mutating func append(_ entry: consuming Entry) {
    weight += entry.weight
    entries.append(entry)
  }

  /// Copies the params of each queued call, so that the call no longer refers to the read buffer.
  mutating func own() {
    for index in max(ownedIndex, headIndex)..<max(ownedIndex, headIndex, entries.count) {
      if case .call(let call)? = entries[index] { entries[index] = .call(call.owned()) }
    }
    ownedIndex = entries.count
  }

  /// Removes and returns the next message that is not held back.
  ///
  /// A call that was held back stays held back until `releaseHeld()`. Until then, `isHeld` is not
  /// called for it again.
  ///
  /// - Returns: `nil` if all queued messages are held back, or if the next message is a call of
  ///   more than `callWeightMax` bytes. No later message overtakes such a call.
  mutating func next(callWeightMax: Int = .max, holding isHeld: (String) -> Bool) -> Entry? {
    while scanIndex < entries.count {
      let index = scanIndex
      scanIndex += 1
      // The entry is moved out and not copied: a call has many reference-counted parts.
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

  /// Removes and returns the first queued response, even if calls precede it; `nil` if there is
  /// none.
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

  /// Releases the calls that were held back: `next` passes their methods to `isHeld` again.
  mutating func releaseHeld() { scanIndex = headIndex }

  /// Removes the call with this number and returns it; `nil` if the call is no longer queued.
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
      entries.removeAllNil(keepingCountMax: Self.keptCountMax)
      (headIndex, scanIndex, ownedIndex) = (0, 0, 0)
    }
  }

  private static let keptCountMax = 1_024
}

extension CallQueue.Entry {
  /// The method of a call; `nil` for other messages, which cannot be held back.
  fileprivate var method: String? {
    switch self {
    case .call(let call): call.method
    case .refused, .response, .unmatchedResponse: nil
    }
  }

  fileprivate var weight: Int {
    switch self {
    case .call(let call): call.address.weight
    case .refused(let address, _): address.weight
    case .response, .unmatchedResponse: ConnectionLimits.bytesPerMessage
    }
  }
}
