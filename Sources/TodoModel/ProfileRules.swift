/// The rules for names of profiles.
package enum ProfileRules {
  /// The maximum length, in user-perceived characters.
  package static let nameCharactersMax = 256
  /// The maximum length in bytes of UTF-8, because a character may have any number of bytes.
  package static let nameBytesMax = 8 << 10

  /// Returns the error message for a name without whitespace around it; `nil` if it is valid.
  package static func nameProblem(_ name: String) -> String? {
    if name.isEmpty { return "A name must not be blank." }
    if name.utf8.count > nameBytesMax {
      return "A name must have at most \(nameBytesMax) bytes."
    }
    if name.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }) {
      return "A name must be on one line, without control characters."
    }
    if name.count > nameCharactersMax {
      return "A name must have at most \(nameCharactersMax) characters."
    }
    return nil
  }
}
