/// The links of an answer (RFC 8288), by what they mean: `next`, `last`.
struct LinkHeader: Sendable, Equatable {
  private var urls: [String: String] = [:]

  /// Reads any number of `Link` header values. What cannot be understood is left out.
  init(_ values: [String]) {
    for value in values { read(value[...]) }
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
