import TodoModel

/// The texts of some fields of a todo's form, as the user typed them.
struct FieldTexts: Sendable, Equatable {
  private var texts = [String?](repeating: nil, count: ContentField.allCases.count)

  init() {}

  /// The texts of a form that shows a todo.
  init(_ content: TodoContent) {
    for field in ContentField.inForm { self[field] = content.text(of: field) }
  }

  /// The texts that a front-end sent, by the names of their fields.
  init(_ values: [String: String]) {
    for field in ContentField.inForm { self[field] = values[field.rawValue] }
  }

  /// The texts of the fields that an edit changes.
  init(_ changes: FieldChanges) {
    for field in ContentField.inForm where changes.fields.contains(field) {
      self[field] = changes.values.text(of: field)
    }
  }

  /// `nil` if no text was typed.
  subscript(field: ContentField) -> String? {
    get { texts[field.index] }
    set { texts[field.index] = newValue }
  }

  var isEmpty: Bool { texts.allSatisfy { $0 == nil } }

  mutating func copy(_ fields: some Sequence<ContentField>, from other: FieldTexts) {
    for field in fields { self[field] = other[field] }
  }

  /// The values that the texts of some fields stand for.
  func changes(of fields: [ContentField]) -> FieldChanges {
    var changes = FieldChanges()
    for field in fields {
      if let text = self[field] { changes.set(field, to: .text(text)) }
    }
    return changes
  }

  /// Byte for byte, for an edit may change nothing but the spelling of an accent.
  static func == (a: FieldTexts, b: FieldTexts) -> Bool {
    ContentField.inForm.allSatisfy { field in
      switch (a[field], b[field]) {
      case (let a?, let b?): a.hasSameBytes(as: b)
      case (nil, nil): true
      case (nil, _?), (_?, nil): false
      }
    }
  }
}

extension ContentField {
  /// The fields that the form of a todo has, in its order.
  static let inForm = allCases.filter { $0.traits.formField != nil }
}
