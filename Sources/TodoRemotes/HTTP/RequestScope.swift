import TodoModel

/// The URLs to which requests for a source may be sent: those with the same origin as its base URL,
/// below the path of the base URL.
///
/// Each URL is checked, whether it comes from the settings, the store, a redirect or a link to the
/// next page. Otherwise, a response could direct a request with the token to another service on the
/// same host.
struct RequestScope: Sendable, CustomStringConvertible {
  private let base: HTTPURL

  /// Creates the scope of a base URL.
  ///
  /// - Returns: `nil` if the text is not a URL, or if the URL has a query or a path that is not
  ///   plain (see `isPlain(path:)`).
  init?(_ base: String) {
    let text = base.last == "/" ? String(base.dropLast()) : base
    guard let url = HTTPURL(text), !url.target.contains("?"),
      url.path.isEmpty || Self.isPlain(path: url.path.dropFirst())
    else { return nil }
    self.base = url
  }

  /// The base URL, without a slash at its end.
  var description: String { base.description }

  func contains(_ url: HTTPURL) -> Bool {
    let prefix = "\(base.path)/"
    return url.hasSameOrigin(as: base) && url.path.hasPrefix(prefix)
      && Self.isPlain(path: url.path.dropFirst(prefix.utf8.count))
  }

  /// Returns whether all servers understand a relative path in the same way. Such a path consists
  /// of segments with letters, digits and `-._~`, separated by single slashes, and no segment may
  /// be `.` or `..`. Other characters are not allowed: a `%` can encode a slash or a dot, and some
  /// servers remove the text after a `;`.
  static func isPlain(path: some StringProtocol) -> Bool {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    // If the path ends with a slash, the last segment is empty.
    let named = segments.last?.isEmpty == true ? segments.dropLast() : segments[...]
    return !named.isEmpty
      && named.allSatisfy { segment in
        !["", ".", ".."].contains(segment) && segment.utf8.allSatisfy(URLText.isPlain)
      }
  }
}
