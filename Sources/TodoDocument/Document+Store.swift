import TodoModel

extension Document {
  /// Whether a text was made from another store: where two machines keep a folder alike, each may
  /// have a mirror of it. Taken over, every todo would come back as another one, without an end.
  ///
  /// - Parameter generation: What the document says that it was made from, where that is known.
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
  /// The bytes of an id that is made here.
  static let idBytes = 16

  /// Whether it has the form of the ids that are made here.
  var looksMade: Bool {
    id.text.utf8.count == Self.idBytes
      && id.text.utf8.allSatisfy { ASCII.isDigit($0) || (0x61...0x7A).contains($0) }
  }
}
