/// The address of a task list on a CalDAV server, or of a server whose task lists are discovered.
///
///     CalDAVAddress("caldav+https://ann@example.org/calendars/ann/tasks/")  // this task list
///     CalDAVAddress("caldav:ann@example.org")                               // to be discovered
///
/// The scheme `http` is allowed only for hosts on this machine. The form without a scheme,
/// `caldav:USER@HOST`, means `http` for such a host and `https` for any other host.
package struct CalDAVAddress: Hashable, Sendable, CustomStringConvertible {
  /// The scheme, host and optional port, without a trailing slash, such as `https://example.org`.
  package let origin: String
  /// The path of the task list, with a slash at both ends; `nil` if the task lists of the server
  /// are discovered.
  package let path: String?
  /// The user name for the login; `nil` if the address has none. In this case, the user name may be
  /// in `~/.netrc`.
  package let user: String?

  /// The prefix of each address in its text form.
  package static let prefix = "caldav"
  package static let forms =
    "caldav+https://USER@HOST/PATH/ (http only for this machine) or caldav:USER@HOST"

  /// Parses an address in one of `forms`; `nil` for any other text.
  package init?(_ text: String) {
    let isFound = text.hasPrefix("caldav:")
    guard isFound || text.hasPrefix("caldav+") else { return nil }
    let rest = text.dropFirst(7)
    let named = isFound ? nil : String(rest.prefix { $0 != ":" })
    let start = named.map { "\($0)://" } ?? ""
    guard ["https", "http", nil].contains(named), rest.hasPrefix(start) else { return nil }
    let place = rest.dropFirst(start.utf8.count)
    let authority = place.prefix { $0 != "/" }
    let path = place[authority.endIndex...]
    guard Self.isPath(path), !isFound || path.isEmpty else { return nil }
    let at = authority.lastIndex(of: "@")
    let host = authority[(at.map { authority.index(after: $0) } ?? authority.startIndex)...]
    guard Self.isHost(host) else { return nil }
    let scheme = named ?? (Self.isLoopback(host) ? "http" : "https")
    if let at {
      // The text after a colon would be a password, which an address must not contain.
      let name = authority[..<at]
      guard !name.isEmpty, name.utf8.allSatisfy({ URLText.isPlain($0) || "%+@".utf8.contains($0) })
      else { return nil }
      user = URLText.decodedPath(name)
    } else {
      user = nil
    }
    origin = "\(scheme)://\(host.lowercased())"
    self.path = isFound ? nil : path.isEmpty ? "/" : path.last == "/" ? String(path) : "\(path)/"
    spelledUser = at.map { String(authority[..<$0]) }
    guard scheme == "https" || Self.isLoopback(host) else { return nil }
  }

  private let spelledUser: String?

  /// The name of the host, without the port.
  package var host: String {
    let authority = origin.drop { $0 != "/" }.dropFirst(2)
    guard authority.hasPrefix("["), let end = authority.firstIndex(of: "]") else {
      return String(authority.prefix { $0 != ":" })
    }
    return String(authority[...end])
  }

  /// Returns the address of a task list on this server, with the same user.
  ///
  /// - Parameter path: The path of the task list, percent-encoded.
  package func address(ofPath path: String) -> String {
    "caldav+" + origin.prefix { $0 != "/" } + "//" + (spelledUser.map { "\($0)@" } ?? "")
      + origin.drop { $0 != "/" }.dropFirst(2) + path
  }

  /// The canonical text of this address: the name under which the lists of the source are stored,
  /// and a valid value for `--source`.
  package var description: String {
    if let path { return address(ofPath: path) }
    let user = spelledUser.map { "\($0)@" } ?? ""
    return "caldav:\(user)\(origin.drop { $0 != "/" }.dropFirst(2))"
  }

  package var remote: RemoteAddress {
    RemoteAddress(
      kind: "caldav", baseURL: origin, place: path ?? "", description: description)
  }

  private static func isPath(_ path: Substring) -> Bool {
    path.utf8.allSatisfy { byte in
      URLText.isPlain(byte) || "/%@+:!$&'()*,;=".utf8.contains(byte)
    } && URLText.decodedPath(path) != nil && path.utf8.count <= 1_024
      && !path.split(separator: "/").contains { [".", ".."].contains(URLText.decodedPath($0)) }
  }

  private static func isHost(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { URLText.isPlain($0) || "[]:".utf8.contains($0) }
  }

  private static func isLoopback(_ host: Substring) -> Bool {
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    if ["localhost", "[::1]"].contains(name.lowercased()) { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

extension URLText {
  /// Decodes the percent-encoded path of a URL.
  ///
  /// - Returns: `nil` for an invalid escape, an encoded NUL, or an encoded slash. An encoded slash
  ///   would change how the path is split into segments.
  package static func decodedPath(_ path: Substring) -> String? {
    guard path.utf8.contains(UInt8(ascii: "%")) else {
      return path.utf8.contains(0) ? nil : String(path)
    }
    let slash = UInt8(ascii: "/")
    guard let text = decoded(path), !text.utf8.contains(0),
      text.utf8.count(where: { $0 == slash }) == path.utf8.count(where: { $0 == slash })
    else { return nil }
    return text
  }
}
