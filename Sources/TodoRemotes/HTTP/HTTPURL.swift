/// An `http` or `https` URL.
///
/// The parser is strict: it rejects a URL that other parsers could understand differently.
/// Otherwise, libcurl could send a token to another host than the one that was checked.
package struct HTTPURL: Sendable, Equatable, CustomStringConvertible {
  package enum Scheme: String, Sendable { case http, https }

  package let scheme: Scheme
  /// The host in lower case. An IPv6 address includes its brackets.
  package let host: String
  package let port: UInt16
  /// The part after the host and port, which begins with `/` or `?`; may be empty.
  package let target: String
  /// The text of the URL, without its fragment.
  package let description: String

  /// The maximum length of a URL, in bytes.
  package static let bytesMax = 2 << 10

  /// Parses a URL of the form `http(s)://host[:port][/...][?...]`; `nil` for any other text. The
  /// text must consist of visible ASCII characters, and have at most `bytesMax` bytes.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.bytesMax else { return nil }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
      return nil
    }
    let text = text.prefix { $0 != "#" }
    guard let colon = text.firstIndex(of: ":"),
      let scheme = Scheme(rawValue: text[..<colon].lowercased()),
      text[colon...].hasPrefix("://")
    else { return nil }
    let rest = text[colon...].dropFirst(3)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard let (host, port) = Self.split(authority) else { return nil }
    self.scheme = scheme
    self.host = host
    self.port = port ?? (scheme == .http ? 80 : 443)
    target = String(rest[authority.endIndex...])
    description = String(text)
  }

  private static func split(_ authority: Substring) -> (host: String, port: UInt16?)? {
    var host = authority
    var port: UInt16?
    let afterBrackets = authority.lastIndex(of: "]") ?? authority.startIndex
    if let colon = authority[afterBrackets...].lastIndex(of: ":") {
      let digits = authority[authority.index(after: colon)...]
      guard digits.allSatisfy(\.isNumber), let number = UInt16(digits), number > 0 else {
        return nil
      }
      host = authority[..<colon]
      port = number
    }
    let isValid =
      if host.hasPrefix("[") {
        host.count > 2 && host.hasSuffix("]")
          && host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
      } else {
        !host.isEmpty && host.allSatisfy { $0.isLetter || $0.isNumber || "-._".contains($0) }
      }
    return isValid ? (host.lowercased(), port) : nil
  }

  /// The part of `target` before the query.
  package var path: Substring {
    target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)]
  }

  /// Returns whether both URLs have the same scheme, host and port.
  package func hasSameOrigin(as other: HTTPURL) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  /// Whether the host is this machine, so that requests do not leave it.
  package var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Whether requests to this URL are safe from being read on the network: the scheme is `https`,
  /// or the host is this machine.
  package var isConfidential: Bool { scheme == .https || isLoopback }

  /// Resolves a reference, such as the value of a `Location` header, relative to this URL; `nil` if
  /// the result is not a valid URL.
  package func resolving(_ reference: String) -> HTTPURL? {
    if reference.hasPrefix("//") { return HTTPURL("\(scheme.rawValue):\(reference)") }
    if reference.contains("://") { return HTTPURL(reference) }
    let origin = description.dropLast(target.utf8.count)
    if reference.hasPrefix("/") { return HTTPURL(origin + reference) }
    if reference.hasPrefix("?") { return HTTPURL(origin + path + reference) }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
    return HTTPURL(origin + folder + reference)
  }
}
