/// The longest values that a source stores, in Unicode code points.
package struct FieldLimits: Sendable, Equatable {
  private let charactersMax: [ContentField: Int]

  package static let none = FieldLimits([:])

  package init(_ charactersMax: [ContentField: Int]) { self.charactersMax = charactersMax }

  /// Returns what is wrong with new values of a todo of this source.
  package func problems(with changes: FieldChanges) -> [FieldProblem] {
    if charactersMax.isEmpty { return [] }
    return ContentField.allCases.compactMap { field in
      guard changes.fields.contains(field), let max = charactersMax[field],
        case .text(let text)? = changes.values[field], text.utf8.count > max,
        text.unicodeScalars.count > max
      else { return nil }
      return FieldProblem(
        field: field.rawValue,
        message: "The source takes a \(field.rawValue) of at most \(max) characters.")
    }
  }

  /// Throws `validation` with the fields that are too long.
  package func check(_ changes: FieldChanges) throws(TodoError) {
    let problems = problems(with: changes)
    if !problems.isEmpty { throw .validation(problems) }
  }
}
