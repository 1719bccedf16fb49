/// The unanswered requests, queued or in flight, by id. A new request must not reuse their ids.
///
/// Usually there are only a few. The first eight are in an array: a linear search takes a third of
/// the instructions of hashing. A program with few calls also never loads the generic metadata of
/// the dictionary, which would take an eighth of its startup time and a megabyte of memory.
struct UnansweredRequests {
  private var few: [ReplyAddress] = []
  private var others: [RequestID: ReplyAddress] = [:]

  private static let fewMax = 8

  /// Inserts a request.
  ///
  /// - Returns: `false` if another request has this id.
  mutating func insert(_ address: ReplyAddress, _ id: RequestID) -> Bool {
    guard self[id] == nil else { return false }
    if few.count < Self.fewMax { few.append(address) } else { others[id] = address }
    return true
  }

  /// Stores a new address for the request that has this id.
  mutating func replace(_ id: RequestID, _ address: ReplyAddress) {
    if let index = index(of: id) { few[index] = address } else { others[id] = address }
  }

  subscript(_ id: RequestID) -> ReplyAddress? {
    if let index = index(of: id) { return few[index] }
    return others.isEmpty ? nil : others[id]
  }

  mutating func remove(_ id: RequestID) {
    if let index = index(of: id) {
      few.swapAt(index, few.count - 1)
      few.removeLast()
    } else if !others.isEmpty {
      others[id] = nil
    }
  }

  private func index(of id: RequestID) -> Int? { few.firstIndex { $0.id == id } }
}
