import TodoModel

extension Document {
  /// Whether the document lacks a todo of a generation (a recorded version of the document): no
  /// line has the todo's mark.
  ///
  /// - Parameter others: The todos that do not need a line with their mark, because lines without a
  ///   mark were matched with them.
  package func lacksTodos(
    of generation: DocumentGeneration, besides others: Set<TodoID> = []
  ) -> Bool {
    var missing = Set(generation.lines.keys).subtracting(others)
    for case .todo(let line) in entries { if let id = line.mark?.id { missing.remove(id) } }
    return !missing.isEmpty
  }

  /// Whether any line with a mark differs from the line of the same todo in a generation (a
  /// recorded version of the document). Also `true` if the generation does not have the todo of a
  /// mark.
  package func hasChangedLines(since generation: DocumentGeneration) -> Bool {
    entries.contains { entry in
      guard case .todo(let line) = entry, let mark = line.mark else { return false }
      return generation.lines[mark.id]?.isText(line.digest) != true
    }
  }

  /// Returns the todos of lines that have lost their marks, by the index of the entry. A program
  /// may have removed the mark, or the user may have typed the line again. Such a line is matched
  /// with a todo of the same text. The todo's mark must be in no other line, and the todo must not
  /// have changed since the generation was printed.
  ///
  /// - Parameter generation: The base of the document.
  package func unmarkedLines(
    madeFrom generation: DocumentGeneration, now: DocumentContents
  ) -> [Int: TodoID] {
    let lines = entries.indices.compactMap { index -> (index: Int, line: DocumentLine)? in
      guard case .todo(let line) = entries[index] else { return nil }
      return (index, line)
    }
    guard lines.contains(where: { $0.line.mark == nil }) else { return [:] }
    let marked = Set(lines.compactMap(\.line.mark?.id))
    var missing: [Int64: [TodoID]] = [:]
    for todo in now.todos.reversed() where !marked.contains(todo.id) && todo.sides.isEmpty {
      let line = LineDigests(todo)
      guard generation.lines[todo.id] == line else { continue }
      missing[line.digest, default: []].append(todo.id)
    }
    var found: [Int: TodoID] = [:]
    for (index, line) in lines where line.mark == nil {
      found[index] = missing[line.digest]?.popLast()
    }
    return found
  }
}
