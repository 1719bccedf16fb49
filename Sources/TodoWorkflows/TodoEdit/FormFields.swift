import TodoModel

extension ContentField {
  /// The fields that the form of a todo has, in its order.
  static let inForm = allCases.filter { $0.traits.formField != nil }
}

extension ContentFieldSet {
  static let inForm = ContentFieldSet(ContentField.inForm)
}

extension FieldChanges {
  /// The texts that a front-end sent, by the names of their fields, as values that are not checked.
  init(typed values: [String: String]) {
    self.init()
    for field in ContentField.inForm {
      if let text = values[field.rawValue] { set(field, to: .text(text)) }
    }
  }
}
