/// The part of a todo that a user can change, and that a conflict compares.
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

/// A field of a todo, by its name on the wire.
package enum ContentField: String, Sendable, CaseIterable {
  case title, note, done, due, labels, priority

  /// Calls the visitor with the type of this field.
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

  /// The position among all fields.
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

/// A generic operation on a field of any type.
package protocol ContentFieldVisitor {
  associatedtype Result
  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> Result
}
