/// The content of a todo: all fields that the user can edit.
package struct TodoContent: Sendable {
  package var title: String
  package var note: String
  package var isDone: Bool
  package var due: DueDate?
  package var labels: LabelSet
  package var priority: Priority?

  package init(
    title: String = "", note: String = "", isDone: Bool = false, due: DueDate? = nil,
    labels: LabelSet = LabelSet(), priority: Priority? = nil
  ) {
    self.title = title
    self.note = note
    self.isDone = isDone
    self.due = due
    self.labels = labels
    self.priority = priority
  }
}

/// A field of a todo. Its raw value is the name on the wire.
package enum ContentField: String, Sendable, CaseIterable {
  case title, note, done, due, labels, priority

  /// Calls the visitor with the type that declares this field, and returns the visitor's result.
  @inline(__always)
  package func visit<Visitor: ContentFieldVisitor>(_ visitor: inout Visitor) -> Visitor.Result {
    switch self {
    case .title: visitor.visit(TitleField.self)
    case .note: visitor.visit(NoteField.self)
    case .done: visitor.visit(DoneField.self)
    case .due: visitor.visit(DueField.self)
    case .labels: visitor.visit(LabelField.self)
    case .priority: visitor.visit(PriorityField.self)
    }
  }

  /// The index of the field in `allCases`.
  package var index: Int {
    switch self {
    case .title: 0
    case .note: 1
    case .done: 2
    case .due: 3
    case .labels: 4
    case .priority: 5
    }
  }
}

/// An operation on a field, which is called with the type that declares the field.
package protocol ContentFieldVisitor {
  associatedtype Result
  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> Result
}
