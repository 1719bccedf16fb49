/// The maximum lengths of the values that a source accepts, in Unicode code points. For labels, the
/// limit applies to each label.
package struct FieldLimits: Sendable, Equatable {
  private let charactersMax: [ContentField: Int]

  package static let none = FieldLimits([:])

  package init(_ charactersMax: [ContentField: Int]) { self.charactersMax = charactersMax }

  /// Returns an error message for each new value that is too long for the source.
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

  /// Throws an error if a new value is too long for the source.
  ///
  /// - Throws: `validation` with the fields that are too long.
  package func check(_ changes: FieldChanges) throws(TodoError) {
    let problems = problems(with: changes)
    if !problems.isEmpty { throw .validation(problems) }
  }
}

extension String {
  /// Returns whether the text has more than `max` Unicode code points.
  fileprivate func isLonger(than max: Int) -> Bool {
    utf8.count > max && unicodeScalars.count > max
  }
}
