import TodoModel

/// The plain lines of a document, and the order of its entries (todos and plain lines).
extension DocumentMerge {
  /// Matches each plain line of the saved document with a stored line of the same text. Of several
  /// identical stored lines, selects one below the same todo, or else the first one.
  mutating func matchTexts(_ texts: [PlainLine]) {
    guard let known = generation?.texts, !known.isEmpty else { return }
    let shown = Set(texts.map(\.id))
    let above = Dictionary(texts.map { ($0.id, $0.after) }) { first, _ in first }
    let gone = known.keys.filter { !shown.contains($0) && !removed.texts.contains($0) }.sorted()
    let order = texts.map(\.id).filter { known[$0] != nil } + gone
    missingTexts = Set(order)
    var byTodo: [TextPlace: [Int64]] = [:]
    var byDigest: [Int64: [Int64]] = [:]
    for id in order.reversed() {
      guard let digest = known[id] else { continue }
      byTodo[TextPlace(digest: digest, above: above[id] ?? nil), default: []].append(id)
      byDigest[digest, default: []].append(id)
    }
    var rest: [(index: Int, digest: Int64)] = []
    var todo: TodoID?
    for (index, entry) in document.entries.enumerated() {
      switch entry {
      case .todo(let line): todo = line.mark?.id ?? todo
      case .text(let text):
        let digest = LineDigest.text(text)
        if let id = byTodo[TextPlace(digest: digest, above: todo)]?.popLast() {
          matchedTexts[index] = id
          missingTexts.remove(id)
        } else {
          rest.append((index, digest))
        }
      }
    }
    for (index, digest) in rest {
      while let id = byDigest[digest]?.popLast() {
        guard missingTexts.remove(id) != nil else { continue }
        matchedTexts[index] = id
        break
      }
    }
  }

  /// Whether an entry consists of blank lines that were the end of the note above it, until an
  /// editor removed the indentation that made these lines part of the note.
  func isEndOfCutNote(_ index: Int) -> Bool {
    guard index > 0, matchedTexts[index] == nil, case .text(let text) = document.entries[index],
      text.trimmed.isEmpty, case .todo(let line) = document.entries[index - 1],
      let known = line.mark.flatMap({ generation?.lines[$0.id] })
    else { return false }
    return known.digest != line.digest && known.cutDigest == line.digest
  }

  private struct TextPlace: Hashable {
    var digest: Int64
    var above: TodoID?
  }

  /// Returns the entries that the user has moved (see `EntryMoves.moved`).
  func movedEntries(
    _ chosen: [TodoID: Int], _ now: DocumentContents
  ) -> Set<EntryID> {
    guard let generation else { return [] }
    var present: [EntryID] = []
    for (index, entry) in document.entries.enumerated() {
      switch entry {
      case .todo(let line):
        guard let id = line.mark?.id, chosen[id] == index, generation.lines[id] != nil else {
          continue
        }
        present.append(.todo(id))
      case .text: if let id = matchedTexts[index] { present.append(.text(id)) }
      }
    }
    let elsewhere = Set(now.moves.filter { $0.number > generation.lastMove }.map(\.entry))
    return EntryMoves.moved(present.filter { !elsewhere.contains($0) }, from: now.order)
  }
}
