import JSONRPC
import TodoProtocol

/// A replacement of secrets, so that the transcript of a session can be published.
///
/// A secret always gets the same replacement. If a secret is too short or too long for the password
/// of an account, so is its replacement. Therefore, the server treats the replacement like the
/// secret.
///
/// The value of a secret member, such as `password`, is always replaced. A secret of 8 bytes or
/// more is also replaced everywhere else, unless it is a word of the protocol.
///
/// ```swift
/// var redaction = Redaction()
/// redaction.message(["method": "login", "params": ["name": "ann", "password": "correct horse"]])
/// // {"method":"login","params":{"name":"ann","password":"secret-001"}}
/// ```
package struct Redaction {
  /// The names of members whose values are secrets, in lower case.
  private static let secretNames: Set<String> = [
    "password", "passwd", "passphrase", "token", "secret", "authorization", "credential",
    "credentials", "apikey", "api_key", "access_token",
  ]
  /// The names of members whose values are URLs, in lower case. A URL may contain a secret.
  private static let urlNames: Set<String> = [
    "source", "sources", "githuburl", "registerurl",
  ]
  /// The minimum size of a secret that is replaced everywhere. A shorter secret may be an ordinary
  /// word.
  private static let searchedBytesMin = 8
  /// The limits for the length of an account's password.
  private static let (charactersMin, bytesMax) = (8, 511)

  private var replacements: [String: String] = [:]
  /// The secrets that are replaced everywhere, longest first.
  private var searched: [String] = []
  /// The secrets that were found since the last call of `drainFound`, with their replacements.
  private var found: [(secret: String, replacement: String)] = []
  /// The names of fields that a rendering has declared as secret.
  private var secretFields: Set<String> = []

  package init() {}

  // MARK: Messages

  /// Redacts a message from the front-end.
  package mutating func message(_ json: JSON) -> JSON {
    if let batch = json.arrayValue { return .array(batch.map { message($0) }) }
    guard var object = json.objectValue else { return hidingAll(json) }
    // Positional parameters may contain anything.
    if let params = object["params"], params.arrayValue != nil {
      object["params"] = hidingAll(params)
    }
    collect(.object(object))
    return hidingNamed(.object(object))
  }

  /// Redacts a response from a service.
  package mutating func answer(_ json: JSON) -> JSON {
    collect(json)
    return hidingNamed(json)
  }

  /// Redacts the known secrets in a message from the server.
  package mutating func serverMessage(_ json: JSON) -> JSON {
    registerSecretFields(json["params"]?["rendering"])
    return json.mapTexts { text($0) }
  }

  /// Redacts the known secrets in a text.
  package func text(_ text: String) -> String {
    var text = text
    for secret in searched where text.contains(secret) {
      text = text.replacing(secret, with: replacements[secret] ?? "")
    }
    return text
  }

  /// Records the secrets in a URL: its user information, and the values in its query.
  package mutating func register(url: String) {
    if let scheme = url.firstRange(of: "://"),
      let at = url[scheme.upperBound...].prefix(while: { $0 != "/" && $0 != "?" }).lastIndex(
        of: "@")
    {
      register(String(url[scheme.upperBound..<at]))
    }
    guard let query = url.firstIndex(of: "?") else { return }
    for pair in url[url.index(after: query)...].split(separator: "&") {
      if let equals = pair.firstIndex(of: "=") {
        register(String(pair[pair.index(after: equals)...]))
      }
    }
  }

  /// Records a secret that may occur in any text.
  package mutating func register(_ secret: String) { _ = replacement(of: secret) }

  /// Returns and clears the secrets that were found since the last call. They may also occur in
  /// text that was written before.
  package mutating func drainFound() -> [(secret: String, replacement: String)] {
    defer { found = [] }
    return found
  }

  // MARK: Finding

  private mutating func collect(_ json: JSON, named name: String = "") {
    switch json {
    case .string(let text):
      if isSecret(name) { register(text) }
      if Self.urlNames.contains(name.lowercased()) { register(url: text) }
    case .array(let elements): for element in elements { collect(element, named: name) }
    case .object(let object):
      for (key, value) in object.members { collect(value, named: isSecret(name) ? name : key) }
    case .null, .bool, .integer, .double: break
    }
  }

  private func isSecret(_ name: String) -> Bool {
    secretFields.contains(name) || Self.secretNames.contains(name.lowercased())
  }

  private mutating func registerSecretFields(_ rendering: JSON?) {
    for item in rendering?["items"]?.arrayValue ?? [] {
      for field in item["screen"]?["body"]?["fields"]?.arrayValue ?? []
      where field["secret"] == true {
        if let name = field["name"]?.stringValue { secretFields.insert(name) }
      }
    }
  }

  // MARK: Replacing

  private mutating func replacement(of secret: String) -> String {
    if secret.isEmpty { return "" }
    if let known = replacements[secret] { return known }
    let digits = String(replacements.count + 1)
    let number = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    var replacement = secret.count < Self.charactersMin ? "s-\(number)" : "secret-\(number)"
    if secret.utf8.count > Self.bytesMax {
      replacement += String(repeating: "x", count: Self.bytesMax)
    }
    if secret.utf8.contains(0) { replacement += "\u{0}" }
    replacements[secret] = replacement
    if secret.utf8.count >= Self.searchedBytesMin, !Self.isProtocolWord(secret) {
      let index = searched.firstIndex { $0.utf8.count < secret.utf8.count } ?? searched.endIndex
      searched.insert(secret, at: index)
      found.append((secret, replacement))
    }
    return replacement
  }

  /// Returns whether the text is a word of the protocol, and therefore not a secret.
  private static func isProtocolWord(_ text: String) -> Bool { ProtocolSchema.words.contains(text) }

  private mutating func hidingNamed(_ json: JSON, named name: String = "") -> JSON {
    switch json {
    case .string(let text): return .string(isSecret(name) ? replacement(of: text) : self.text(text))
    case .array(let elements):
      return .array(elements.map { hidingNamed($0, named: name) })
    case .object(let object):
      return .object(
        JSONObject(
          object.members.map { key, value in
            (key, hidingNamed(value, named: isSecret(name) ? name : key))
          }))
    case .integer, .double: return isSecret(name) ? 0 : json
    case .null, .bool: return json
    }
  }

  private mutating func hidingAll(_ json: JSON) -> JSON {
    json.mapTexts { replacement(of: $0) }
  }
}
