/// What of a todo can differ between two sides, by its name on the wire.
package enum ContentField: String, Sendable, CaseIterable {
  case title, note, done
}

extension TodoContent {
  /// The fields in which this content is not as another one, byte for byte.
  ///
  /// What is to be sent to a source is what differs from the source:
  ///
  ///     merged.fields(differingFrom: theirs)  // [.note]
  package func fields(differingFrom other: TodoContent) -> [ContentField] {
    ContentField.allCases.filter { !isSame($0, as: other) }
  }

  /// Whether both have the same bytes in a field.
  package func isSame(_ field: ContentField, as other: TodoContent) -> Bool {
    switch field {
    case .title: title.hasSameBytes(as: other.title)
    case .note: note.hasSameBytes(as: other.note)
    case .done: isDone == other.isDone
    }
  }

  /// Takes one field from another content.
  package mutating func take(_ field: ContentField, from other: TodoContent) {
    switch field {
    case .title: title = other.title
    case .note: note = other.note
    case .done: isDone = other.isDone
    }
  }
}
