/// The maximum lengths of the texts that a source stores, in Unicode code points. The limit of
/// labels applies to each label.
package struct FieldLimits: Sendable, Equatable {
  private let charactersMax: [ContentField: Int]

  package static let none = FieldLimits([:])

  package init(_ charactersMax: [ContentField: Int]) { self.charactersMax = charactersMax }

  /// Returns the errors of new values of a todo of this source.
  package func problems(with changes: FieldChanges) -> [FieldProblem] {
    if charactersMax.isEmpty { return [] }
    return ContentField.allCases.compactMap { field in
      guard changes.fields.contains(field), let max = charactersMax[field] else { return nil }
      let message: String
      switch changes.values[field] {
      case .text(let text) where text.isLonger(than: max):
        message = "The source takes a \(field.rawValue) of at most \(max) characters."
      case .texts(let texts) where texts.contains { $0.isLonger(than: max) }:
        message = "The source takes \(field.rawValue) of at most \(max) characters each."
      case .text, .texts, .flag, nil: return nil
      }
      return FieldProblem(field: field.rawValue, message: message)
    }
  }

  /// Checks new values.
  ///
  /// - Throws: `validation` with the fields that are too long.
  package func check(_ changes: FieldChanges) throws(TodoError) {
    let problems = problems(with: changes)
    if !problems.isEmpty { throw .validation(problems) }
  }
}

extension String {
  /// Whether it has more code points than `max`.
  fileprivate func isLonger(than max: Int) -> Bool {
    utf8.count > max && unicodeScalars.count > max
  }
}
