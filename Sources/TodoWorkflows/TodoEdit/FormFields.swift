import TodoModel

extension ContentField {
  /// The fields in the form of a todo, in the order of the form: fields of one line come first.
  static let inForm = allCases.filter { $0.isLine == true } + allCases.filter { $0.isLine == false }

  /// The fields that the form does not have.
  static let outsideForm = allCases.filter { $0.isLine == nil }

  /// The fields that the user can change on an item of a list, without the form.
  static let ofItems = allCases.filter { $0.traits.itemAction != nil }

  /// Whether the form has one line for the field; `nil` if it does not have the field.
  private var isLine: Bool? {
    switch traits.formField {
    case .line: true
    case .multiline: false
    case nil: nil
    }
  }

  /// Returns the values to offer the user for completion.
  ///
  /// - Parameter labels: The labels of the list.
  func suggestions(labels: [String]) -> [String] {
    switch self {
    case .title, .note, .done, .due: []
    case .labels: labels.map { LabelWords.quotedIfNeeded($0) }
    case .priority: PriorityField.words
    }
  }
}

extension ContentFieldSet {
  static let inForm = ContentFieldSet(ContentField.inForm)
}

extension FieldChanges {
  /// Creates unvalidated values from the texts of a form, by name of the field.
  init(texts: [String: String]) {
    self.init()
    for field in ContentField.inForm {
      if let text = texts[field.rawValue] { set(field, to: .text(text)) }
    }
  }
}
