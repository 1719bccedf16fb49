import TodoModel

/// An error message from a service, prepared for the user: it is on one line, its length is
/// limited, and secrets of the request are masked, in any form in which the service repeats them.
package struct SanitizedMessage {
  package static let charactersMax = 200
  /// The maximum number of scalars that are examined. One character can have any number of scalars.
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
