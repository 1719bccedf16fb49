import TodoModel
import TodoTools

/// The options that only `mcp` has.
struct AssistantSettings {
  var isReadOnly = false
  var toolNames: Set<String>?

  /// Parses `--read-only` and `--tools`, and removes them from the arguments.
  ///
  /// - Throws: `UsageError` for an unknown tool, with the names of the known tools.
  init(taking arguments: inout [String]) throws(UsageError) {
    var rest: [String] = []
    var words = arguments[...]
    while let word = words.popFirst() {
      if word == "--read-only" {
        isReadOnly = true
      } else if word == "--tools" {
        toolNames = try Self.names(words.popFirst())
      } else if word.hasPrefix("--tools=") {
        toolNames = try Self.names(String(word.dropFirst("--tools=".count)))
      } else {
        rest.append(word)
      }
    }
    arguments = rest
  }

  /// Whether any of these options was given.
  var isGiven: Bool { isReadOnly || toolNames != nil }

  private static func names(_ text: String?) throws(UsageError) -> Set<String> {
    let names = (text ?? "").split(separator: ",").map { String($0).trimmed }
    let known = ToolRegistry.names
    guard !names.isEmpty, names.allSatisfy(known.contains) else {
      let unknown = names.first { !known.contains($0) }.map { ", got \"\($0)\"" } ?? ""
      throw UsageError(
        "--tools: expected some of \(known.joined(separator: ",")) with commas between\(unknown)")
    }
    return Set(names)
  }
}
