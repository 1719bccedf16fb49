import TodoModel

/// The URLs to which requests about one source may be sent: those of its origin, below the path of
/// its base URL.
///
/// Every URL is checked here, whether it comes from the settings, the store, a redirect or a link
/// to the next page. So a response cannot direct a request, with the token in it, to another
/// service of the same host.
struct RequestScope: Sendable, CustomStringConvertible {
  private let base: HTTPURL

  /// Creates the scope of a base URL.
  ///
  /// - Returns: `nil` if the base is not a URL, has a query or has a path that is not plain.
  init?(_ base: String) {
    let text = base.last == "/" ? String(base.dropLast()) : base
    guard let url = HTTPURL(text), !url.target.contains("?"),
      url.path.isEmpty || Self.isPlain(path: url.path.dropFirst())
    else { return nil }
    self.base = url
  }

  /// The base, without a slash at its end.
  var description: String { base.description }

  func contains(_ url: HTTPURL) -> Bool {
    let prefix = "\(base.path)/"
    return url.hasSameOrigin(as: base) && url.path.hasPrefix(prefix)
      && Self.isPlain(path: url.path.dropFirst(prefix.utf8.count))
  }

  /// Whether all servers understand a relative path in the same way: segments of letters, digits
  /// and `-._~` with single slashes between them, none of them `.` or `..`. A `%` could encode a
  /// slash or a dot, and a `;` is cut off by some servers.
  static func isPlain(path: some StringProtocol) -> Bool {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    // A slash at the end leaves an empty segment.
    let named = segments.last?.isEmpty == true ? segments.dropLast() : segments[...]
    return !named.isEmpty
      && named.allSatisfy { segment in
        !["", ".", ".."].contains(segment) && segment.utf8.allSatisfy(URLText.isPlain)
      }
  }
}
