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
    let ids = Set(
      entries.compactMap { entry -> TodoID? in
        guard case .todo(let line) = entry, let mark = line.mark, mark.looksMade else { return nil }
        return mark.id
      })
    return !ids.isEmpty && !now.todos.contains { ids.contains($0.id) }
  }
}

extension LineAnchor {
  /// The number of bytes of an ID that this program assigns.
  static let idBytes = 16

  /// Whether the ID has the form of an ID that this program assigns.
  package var looksMade: Bool {
    id.text.utf8.count == Self.idBytes
      && id.text.utf8.allSatisfy { ASCII.isDigit($0) || (0x61...0x7A).contains($0) }
  }
}
