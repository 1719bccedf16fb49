import TodoModel

extension ContentField {
  /// The fields in the form for a todo, in their order: first the fields with one line, then the
  /// others.
  static let inForm = allCases.filter { $0.isLine == true } + allCases.filter { $0.isLine == false }

  /// The fields that the form does not contain.
  static let outsideForm = allCases.filter { $0.isLine == nil }

  /// The fields that the user can change directly on an item of a list, without opening the form.
  static let ofItems = allCases.filter { $0.traits.itemAction != nil }

  /// Whether the field has one line in the form; `nil` if the form does not contain the field.
  private var isLine: Bool? {
    switch traits.formField {
    case .line: true
    case .multiline: false
    case nil: nil
    }
  }

  /// Returns the values that are suggested to the user for the field.
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
  /// Creates changes from the texts of a form. The keys of `texts` are the names of the fields. The
  /// values are not validated.
  init(texts: [String: String]) {
    self.init()
    for (name, text) in texts {
      guard let field = ContentField(rawValue: name), ContentFieldSet.inForm.contains(field) else {
        continue
      }
      set(field, to: .text(text))
    }
  }
}
