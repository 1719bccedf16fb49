/// What the name of a profile may be.
enum ProfileRules {
  /// In user-perceived characters.
  static let nameCharactersMax = 256

  /// What is wrong with a trimmed name, as a sentence, or nil.
  static func nameProblem(_ name: String) -> String? {
    if name.isEmpty { return "A name must not be blank." }
    if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      return "A name must be on one line, without control characters."
    }
    if name.count > nameCharactersMax {
      return "A name must have at most \(nameCharactersMax) characters."
    }
    return nil
  }
}
