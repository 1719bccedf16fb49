import TodoModel

/// The links of an answer (RFC 8288), by what they mean: `next`, `last`.
struct LinkHeader: Sendable, Equatable {
  /// The most bytes of all `Link` headers of an answer: several links of `HTTPURL.bytesMax`.
  static let bytesMax = 16 << 10

  private var urls: [String: String] = [:]

  /// Reads any number of `Link` header values. What cannot be understood is left out.
  init(_ values: [String]) {
    for value in values { read(value[...]) }
  }

  /// - Throws: `invalidResponse` for more than `bytesMax`: without its link, a page would be the last.
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

  /// The `page` in the link to the last page, which tells how many pages there are.
  var lastPageNumber: Int? {
    guard let query = urls["last"]?.split(separator: "?", maxSplits: 1).dropFirst().first else {
      return nil
    }
    let page = query.split(separator: "&").first { $0.hasPrefix("page=") }
    return page.flatMap { Int($0.dropFirst("page=".utf8.count)) }
  }

  /// The page after `page`, which is at `url`; `nil` after the last one.
  ///
  /// - Throws: `invalidResponse` if the link leads out of the scope or in a circle, or if there are
  ///   too many pages.
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
      // The parameters end at a comma that is not in quotes.
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

  /// The words of `; rel="next last"`.
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
