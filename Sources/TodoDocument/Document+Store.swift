import TodoModel

extension Document {
  /// Whether the text was printed from another store, such as by a mirror on another machine that
  /// shares the folder. Applying it would add every todo again; with a mirror on each machine, this
  /// would repeat forever.
  ///
  /// - Parameter generation: The recorded version of the document that the heading names; `nil` if
  ///   the store does not have it.
  package func belongsToOtherStore(
    madeFrom generation: DocumentGeneration?, now: DocumentContents
  ) -> Bool {
    guard let heading, heading.generation > 0, generation == nil else { return false }
    var (ids, hasUnknown) = (Set<TodoID>(), false)
    for case .todo(let line) in entries {
      if let mark = line.mark {
        if mark.isAssigned { ids.insert(mark.id) }
      } else {
        hasUnknown = hasUnknown || line.content.title.endsWithMark
      }
    }
    guard hasUnknown || !ids.isEmpty else { return false }
    return !now.todos.contains { ids.contains($0.id) }
  }
}

extension String {
  /// Whether the last word has the form of a mark.
  fileprivate var endsWithMark: Bool {
    let word = utf8.suffix(TodoMark.count + 1)
    return word.first == UInt8(ascii: "^") && TodoMark(ArraySlice(word.dropFirst())) != nil
  }
}
