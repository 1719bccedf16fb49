import TodoModel

extension ContentField {
  /// The fields that the form of a todo has, in its order.
  static let inForm = allCases.filter { $0.traits.formField != nil }
}

extension ContentFieldSet {
  static let inForm = ContentFieldSet(ContentField.inForm)
}

extension FieldChanges {
  /// The texts of a form, by the names of their fields, as unvalidated values.
  init(texts: [String: String]) {
    self.init()
    for field in ContentField.inForm {
      if let text = texts[field.rawValue] { set(field, to: .text(text)) }
    }
  }
}
