import JSONRPC

/// The format of JSON in transcripts: one line if it fits, otherwise one line for each member.
package enum TranscriptJSON {
  /// The maximum length of a line in characters, including the arrow and the indentation.
  private static let lineLengthMax = 100

  /// Returns the lines of a value after an arrow such as `<--`.
  package static func lines(_ json: JSON, after arrow: String) -> [String] {
    let text = render(json, indent: 2, used: arrow.count + 1)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines[0] = "\(arrow) \(lines[0])"
    return lines
  }

  /// Returns the text of a value, without an arrow.
  package static func text(_ json: JSON) -> String { render(json, indent: 2, used: 0) }

  private static func render(_ json: JSON, indent: Int, used: Int) -> String {
    let compact = json.compactText
    if used + compact.count <= lineLengthMax { return compact }
    let space = String(repeating: " ", count: indent)
    let outer = String(repeating: " ", count: indent - 2)
    switch json {
    case .object(let object) where !object.isEmpty:
      let members = object.members.map { key, value in
        let key = JSON.string(key).compactText
        let value = render(value, indent: indent + 2, used: indent + key.count + 3)
        return "\(space)\(key): \(value)"
      }
      return "{\n\(members.joined(separator: ",\n"))\n\(outer)}"
    case .array(let elements) where !elements.isEmpty:
      let elements = elements.map { space + render($0, indent: indent + 2, used: indent + 1) }
      return "[\n\(elements.joined(separator: ",\n"))\n\(outer)]"
    default: return compact
    }
  }

  /// Returns whether a value equals the expected one. `"<any>"` in the expected value matches any
  /// value.
  package static func matches(_ actual: JSON, _ expected: JSON) -> Bool {
    switch (actual, expected) {
    case (_, .string("<any>")): true
    case (.object(let actual), .object(let expected)):
      actual.count == expected.count
        && expected.members.allSatisfy { key, value in
          actual[key].map { matches($0, value) } ?? false
        }
    case (.array(let actual), .array(let expected)):
      actual.count == expected.count && zip(actual, expected).allSatisfy(matches)
    default: actual == expected
    }
  }
}
