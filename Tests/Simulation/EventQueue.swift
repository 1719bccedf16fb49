import TodoModel

/// The planned events, in the order of their times. Events at the same time happen in the order in
/// which they were planned, so that a seed always yields the same sequence of events.
struct EventQueue<Event> {
  private struct Entry {
    let at: Timestamp
    let order: Int
    let event: Event
  }

  /// A heap with the next event first.
  private var entries: [Entry] = []
  private var count = 0

  mutating func plan(_ event: Event, at instant: Timestamp) {
    entries.append(Entry(at: instant, order: count, event: event))
    count += 1
    var index = entries.count - 1
    while index > 0, isBefore(index, (index - 1) / 2) {
      entries.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// The time of the next event; `nil` if there is none.
  var nextInstant: Timestamp? { entries.first?.at }

  mutating func next() -> (at: Timestamp, event: Event)? {
    guard let first = entries.first else { return nil }
    let last = entries.removeLast()
    if !entries.isEmpty {
      entries[0] = last
      var index = 0
      while true {
        var smallest = index
        for child in [2 * index + 1, 2 * index + 2]
        where child < entries.count && isBefore(child, smallest) { smallest = child }
        if smallest == index { break }
        entries.swapAt(index, smallest)
        index = smallest
      }
    }
    return (first.at, first.event)
  }

  private func isBefore(_ a: Int, _ b: Int) -> Bool {
    (entries[a].at, entries[a].order) < (entries[b].at, entries[b].order)
  }
}
