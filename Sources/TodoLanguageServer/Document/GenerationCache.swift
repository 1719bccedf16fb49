import TodoDocument
import TodoModel

/// A cache of the histories of a buffer: the entries that the buffer has shown and saved. It has
/// one history for each of the most recently used generations (recorded versions of the document).
struct GenerationCache: Sendable {
  private var histories: [Int64: BufferHistory] = [:]
  /// The generation numbers, the least recently used first.
  private var order: [Int64] = []
  /// The entries that saves of the buffer have removed, in any generation.
  private var removed = RemovedEntries()

  private static let historiesMax = 16

  subscript(number: Int64) -> BufferHistory? {
    get { histories[number] }
    set {
      histories[number] = newValue ?? BufferHistory(nil)
      recordUse(of: number)
      if order.count > Self.historiesMax { histories[order.removeFirst()] = nil }
    }
  }

  /// Returns the history of a generation, and marks it as the most recently used; `nil` if it is
  /// not cached.
  ///
  /// Callers pass the generation that the buffer shows, so that its history is never evicted. This
  /// matters because only this cache records which lines of the generation were applied.
  mutating func use(_ number: Int64) -> BufferHistory? {
    guard var history = histories[number] else { return nil }
    recordUse(of: number)
    history.removed = removed
    return history
  }

  /// Records that the entries of the buffer already have the order that the list has after
  /// `lastMove`, its last move. For example, another client has moved an entry, and has then moved
  /// the entry back.
  mutating func recordOrder(in number: Int64, lastMove: Int64) {
    histories[number]?.generation?.lastMove = lastMove
  }

  /// Records that the list was read. Todos that are in the list again no longer count as removed.
  mutating func record(_ contents: DocumentContents) { removed.forgetRestored(in: contents) }

  private mutating func recordUse(of number: Int64) {
    order.removeAll { $0 == number }
    order.append(number)
  }

  /// Records an applied save in the history of its generation and of all later generations.
  ///
  /// Later generations are included because an edit may have brought the buffer to one of them
  /// meanwhile. The buffer still lacks the lines that were missing from the saved text, and still
  /// contains the lines that the user had typed.
  mutating func record(_ save: AppliedBuffer, _ contents: DocumentContents) {
    let number = save.read.document.heading?.generation ?? 0
    if let requested = save.requested { forgetTyping(of: removed.record(requested, contents)) }
    guard let history = histories[number]?.record(save.applied, contents) else { return }
    for later in histories.keys where later > number { histories[later]?.merge(history) }
  }

  /// Forgets which typed lines became `entries`, because a save has removed these entries. If the
  /// user types such a line again, it is a new line.
  private mutating func forgetTyping(of entries: Set<EntryID>) {
    guard !entries.isEmpty else { return }
    for number in histories.keys { histories[number]?.forgetTyping(of: entries) }
  }
}

extension DocumentGeneration {
  /// Whether two generations have the same entries, after the same last move.
  func showsTheSame(as other: DocumentGeneration) -> Bool {
    lines == other.lines && texts == other.texts && lastMove == other.lastMove
  }
}
