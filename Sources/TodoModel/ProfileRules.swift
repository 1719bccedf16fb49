/// The rules for the names of profiles. The name of a profile is the name with which its user logs
/// in.
package enum ProfileRules {
  /// The maximum length of a name, in user-perceived characters.
  package static let nameCharactersMax = 256
  /// The maximum length of a name, in bytes of UTF-8. The limit for characters alone is not enough,
  /// because one character can have any number of bytes.
  package static let nameBytesMax = 8 << 10

  /// Returns the error message for an invalid name; `nil` for a valid one.
  ///
  /// - Parameter name: A name without surrounding whitespace.
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
