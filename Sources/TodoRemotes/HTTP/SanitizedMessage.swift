import TodoModel

/// A service's message about a failure, prepared for the user: on one line, of limited length, and
/// without the secrets that were sent, in whatever form the service repeats them.
package struct SanitizedMessage {
  package static let charactersMax = 200
  /// The maximum number of scalars that are read. A character may have any number of scalars.
  private static let scalarsMax = 4_096

  package let text: String

  package init(_ raw: String, hiding secrets: [Secret]) {
    var scalars = Array(raw.unicodeScalars.prefix(Self.scalarsMax))
    for secret in secrets { scalars = SecretForms(of: secret).hidden(in: scalars) }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    let line = String(text).prefix(2 * Self.charactersMax).map { character in
      character.unicodeScalars.allSatisfy(\.isPrintable) ? character : " "
    }
    self.text = String(line.prefix(Self.charactersMax)).trimmed
  }
}
