import TodoModel

/// The part of the list that an entry (a todo or a plain line) of a document was matched with.
package enum EntryMatch: Sendable, Equatable {
  /// The todo with this ID. If `isUntouched`, its line is as it was printed.
  case todo(TodoID, isUntouched: Bool)
  /// Typed or copied lines, by their keys. The save adds the lines that no earlier save has added.
  case additions([AdditionKey])
  /// The plain line with this number in the list.
  case text(Int64)
  /// No part of the list: an incomplete line, or the blank lines at the end of a note.
  case nothing
}

extension Document {
  /// Sets the todos of lines that lack their marks.
  ///
  /// - Returns: The digests of these lines, by the index of the entry.
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

  /// Sets the version of each line whose mark does not contain one (see `LineAnchor.version`) to
  /// the version that a generation shows. If the generation does not show the todo, a save of the
  /// document has added the todo, and the line gets the todo's first version.
  ///
  /// - Parameter versions: The versions that the document shows, by todo; used only without a
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
