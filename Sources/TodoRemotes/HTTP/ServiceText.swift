import TodoModel

/// What a service says about a failure, made fit for a person: on one line, not too long, and
/// without the secrets that were sent, should the service repeat them.
package struct ServiceText {
  package static let charactersMax = 200

  package let text: String

  package init(_ raw: String, hiding secrets: [Secret]) {
    var text = raw
    for secret in secrets where !secret.isEmpty {
      text = text.split(separator: secret.revealed, omittingEmptySubsequences: false)
        .joined(separator: "<secret>")
    }
    let line = text.prefix(2 * Self.charactersMax).map { character in
      character.isNewline
        || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
        ? " " : character
    }
    self.text = String(line.prefix(Self.charactersMax)).trimmed
  }
}
