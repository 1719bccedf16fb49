/// The calls whose ids may not be used again, until they are answered.
///
/// Mostly there is one, or a few. Those are compared one by one: that takes a third of what hashing
/// takes, and a program that asks for nothing else spares the look-up of a dictionary's metadata
/// through all its conformances, which is an eighth of its start and a megabyte of its pages.
struct CallsInFlight {
  private var few: [ReplyAddress] = []
  private var others: [RequestID: ReplyAddress] = [:]

  private static let fewMax = 8

  /// Notes a call with an id. False where another one has that id.
  mutating func insert(_ address: ReplyAddress, _ id: RequestID) -> Bool {
    guard self[id] == nil else { return false }
    if few.count < Self.fewMax { few.append(address) } else { others[id] = address }
    return true
  }

  /// Replaces the address of an id.
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
