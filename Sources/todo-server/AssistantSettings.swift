import TodoModel
import TodoTools

/// How to serve an assistant: the options that `mcp` alone has.
struct AssistantSettings {
  var isReadOnly = false
  var toolNames: Set<String>?

  /// Takes `--read-only` and `--tools` out of the words of a command line. Throws a sentence that
  /// says what to write.
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

  /// Whether any of them was given.
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
