import TodoModel

/// The part of the list that an entry (a todo or a plain line) of a document was matched with.
package enum EntryMatch: Sendable, Equatable {
  /// The todo with this ID. If `isUntouched`, its line is as it was printed.
  case todo(TodoID, isUntouched: Bool)
  /// The keys of new lines (typed or copied). The save adds only the lines that no earlier save has
  /// added.
  case additions([AdditionKey])
  /// The plain line with this number in the list.
  case text(Int64)
  /// No part of the list: an incomplete line, or the blank lines at the end of a note.
  case nothing
}

extension Document {
  /// Sets the marks of lines that lack them.
  ///
  /// - Parameter remembered: The todos of these lines, by the index of the entry.
  /// - Returns: The digests of the lines that had no mark, by the index of the entry.
  mutating func mark(_ remembered: [Int: TodoID]) -> [Int: Int64] {
    var unmarked: [Int: Int64] = [:]
    for (index, id) in remembered where entries.indices.contains(index) {
      guard case .todo(var line) = entries[index] else { continue }
      if let own = line.mark {
        guard own.id == id else { continue }
      } else {
        unmarked[index] = LineDigest.line(line.content, relativeDue: line.relativeDue)
      }
      // `readVersions` sets the version.
      line.mark = LineAnchor(id: id)
      entries[index] = .todo(line)
    }
    return unmarked
  }

  /// Sets the version of each line whose mark contains no version (see `LineAnchor.version`). The
  /// line gets the version that the generation (a recorded version of the document) shows for the
  /// line's todo. A todo that the generation does not show was added by a save of the document; its
  /// line gets the todo's first version.
  ///
  /// - Parameter versions: The versions in the document, by todo. Used only if there is no
  ///   generation.
  mutating func readVersions(
    madeFrom generation: DocumentGeneration?, _ versions: [TodoID: Int64]
  ) {
    for index in entries.indices {
      guard case .todo(var line) = entries[index], let mark = line.mark, mark.version == nil
      else { continue }
      line.mark?.version =
        generation.map { $0.lines[mark.id]?.version ?? LineAnchor.firstVersion }
        ?? versions[mark.id]
      entries[index] = .todo(line)
    }
  }
}
