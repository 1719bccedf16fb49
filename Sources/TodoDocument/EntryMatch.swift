import TodoModel

/// The part of the list that an entry (a todo or a plain line) of a document was matched with.
package enum EntryMatch: Sendable, Equatable {
  /// The todo with this ID. If `isUntouched`, its line is as it was printed.
  case todo(TodoID, isUntouched: Bool)
  /// New texts that were typed or copied. They are added, unless an earlier save has added them.
  case additions([AdditionKey])
  /// The plain line of the list with this number.
  case text(Int64)
  /// No part of the list: an incomplete line, or the blank lines at the end of a note.
  case nothing
}

extension Document {
  /// Sets the marks (`^id.version`) of entries.
  ///
  /// - Returns: The digests of the entries that had no mark, by the index of the entry.
  mutating func mark(_ remembered: [Int: LineAnchor]) -> [Int: Int64] {
    var unmarked: [Int: Int64] = [:]
    for (index, mark) in remembered where entries.indices.contains(index) {
      guard case .todo(var line) = entries[index] else { continue }
      if let own = line.mark {
        guard own.id == mark.id, own.version < mark.version else { continue }
      } else {
        unmarked[index] = LineDigest.line(line.content, relativeDue: line.relativeDue)
      }
      line.mark = mark
      entries[index] = .todo(line)
    }
    return unmarked
  }
}
