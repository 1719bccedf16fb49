import TodoModel

/// The match of an entry of a document.
package enum EntryMatch: Sendable, Equatable {
  /// The todo with this id. Untouched: its line is as it was printed.
  case todo(TodoID, isUntouched: Bool)
  /// Something that was typed, or copied: to be added unless that was done before.
  case additions([AdditionKey])
  /// A plain line that is known.
  case text(Int64)
  /// Half of something that is known.
  case nothing
}

extension Document {
  /// Sets the marks of entries.
  /// - Returns: The digests of the entries that had none, by their numbers.
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
