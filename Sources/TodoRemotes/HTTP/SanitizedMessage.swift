import TodoModel

/// The message of a service about a failure, as the user sees it: on one line, not too long, and
/// without the secrets that were sent, should the service repeat them in whatever form.
package struct SanitizedMessage {
  package static let charactersMax = 200
  /// The most scalars that are read. A character may have any number of scalars.
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
