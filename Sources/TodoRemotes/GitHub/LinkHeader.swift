import TodoModel

/// The links in the headers of a response (RFC 8288), by relation, such as `next` and `last`.
struct LinkHeader: Sendable, Equatable {
  /// The maximum size of all `Link` headers of a response, in bytes. This is enough for several
  /// links with URLs of the maximum length (`HTTPURL.bytesMax`).
  static let bytesMax = 16 << 10

  private var urls: [String: String] = [:]

  /// Parses the values of `Link` headers. Invalid parts are ignored.
  init(_ values: [String]) {
    for value in values { read(value[...]) }
  }

  /// Parses the `Link` headers of a response.
  ///
  /// - Throws: `invalidResponse` if the headers are larger than `bytesMax`. If they were ignored,
  ///   the page would wrongly count as the last one.
  init(of response: HTTPResponse) throws(TodoError) {
    let values = response.values(of: "Link")
    guard values.reduce(0, { $0 + $1.utf8.count }) <= Self.bytesMax else {
      throw TodoError(
        .invalidResponse, "GitHub's links to other pages have more than \(Self.bytesMax) bytes.",
        status: response.status)
    }
    self.init(values)
  }

  subscript(relation: String) -> String? { urls[relation] }

  /// The number of the last page, taken from the link to it; `nil` if it is not known.
  var lastPageNumber: Int? {
    guard let query = urls["last"]?.split(separator: "?", maxSplits: 1).dropFirst().first else {
      return nil
    }
    let page = query.split(separator: "&").first { $0.hasPrefix("page=") }
    return page.flatMap { Int($0.dropFirst("page=".utf8.count)) }
  }

  /// Returns the link to the page after `page`; `nil` if `page` is the last one.
  ///
  /// - Parameter url: The URL of `page`.
  /// - Throws: `invalidResponse` if the link is outside of the scope, if the links form a loop, or
  ///   if there are too many pages.
  func next(
    after page: PageLink, at url: HTTPURL, on client: GitHubClient
  ) throws(TodoError) -> PageLink? {
    guard let text = self["next"] else { return nil }
    return try page.next(client.address(text, in: url).description)
  }

  private mutating func read(_ text: Substring) {
    var rest = text
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      let url = String(rest[rest.index(after: open)..<close])
      rest = rest[rest.index(after: close)...]
      // The parameters of a link end at a comma, except for commas in quotation marks.
      var isQuoted = false
      let end =
        rest.firstIndex { character in
          if character == "\"" { isQuoted.toggle() }
          return character == "," && !isQuoted
        } ?? rest.endIndex
      for relation in Self.relations(in: rest[..<end]) where urls[relation] == nil {
        urls[relation] = url
      }
      rest = rest[end...]
    }
  }

  /// Returns the relations in parameters such as `; rel="next last"`.
  private static func relations(in parameters: Substring) -> [String] {
    for parameter in parameters.split(separator: ";") {
      let parts = parameter.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
      guard parts.count == 2, parts[0].lowercased() == "rel" else { continue }
      let value = parts[1].filter { $0 != "\"" }
      return value.split(separator: " ").map { $0.lowercased() }
    }
    return []
  }
}
