/// A recorded conversation: prose that says why it exists, headers, and what was said.
///
/// ```
/// A name is enough to log in.
/// store: memory
///
/// --> {"id":1,"method":"login","params":{"name":"ann"}}
/// <-- {"id":1,"result":{"name":"ann","revision":2}}
/// == Loading
/// ```
///
/// `-->` the front-end says, `~~>` the world answers, `<--` the server says, `<~~` the server asks
/// of the world, `==` the front screen. A line that begins with two spaces or a closing bracket goes
/// on with the one before; one that begins with `#`, and an empty one, are for the reader.
package struct Transcript: Sendable {
  /// Settings, read from the lines before the first input.
  package private(set) var headers: [String: String] = [:]
  package private(set) var entries: [Entry] = []

  package enum Entry: Sendable, Equatable {
    /// Prose, headers, comments, empty lines: kept as they are.
    case text(String)
    case input(Input)
    case output([String])
  }

  /// Something that comes to the server.
  package struct Input: Sendable, Equatable {
    package enum Sender: String, Sendable {
      case frontEnd = "-->"
      case world = "~~>"
    }
    package var sender: Sender
    /// The lines as written, the first without its arrow.
    package var lines: [String]
    /// Where it stands in the file, from 1 on.
    package var lineNumber: Int

    package var text: String { lines.joined(separator: "\n") }
  }

  private static let headerNames: Set<String> = [
    "store", "source", "sync", "clock", "framing", "renderings", "register", "process", "notice",
    "github", "ids", "token", "timezone",
  ]

  /// Reads a file's text. Throws a sentence that names the line.
  package init(_ text: String) throws(TranscriptError) {
    var hasStarted = false
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let line = String(line)
      switch Self.kind(of: line) {
      case .continuation:
        guard continueLast(line) else {
          throw TranscriptError("line \(index + 1): nothing goes on here")
        }
      case .input(let sender, let rest):
        hasStarted = true
        entries.append(.input(Input(sender: sender, lines: [rest], lineNumber: index + 1)))
      case .output:
        guard hasStarted else {
          throw TranscriptError("line \(index + 1): output before the first input")
        }
        appendOutput(line)
      case .other:
        if !hasStarted { readHeader(line) }
        entries.append(.text(line))
      }
    }
    // The line end at the end of the file is no line.
    if entries.last == .text("") { entries.removeLast() }
  }

  private enum Kind {
    case input(Input.Sender, String)
    case output
    case continuation
    case other
  }

  private static func kind(of line: String) -> Kind {
    for sender in [Input.Sender.frontEnd, .world] where line.hasPrefix(sender.rawValue) {
      return .input(sender, String(line.dropFirst(sender.rawValue.count).drop { $0 == " " }))
    }
    if ["<--", "<~~", "=="].contains(where: line.hasPrefix) { return .output }
    return goesOn(line) ? .continuation : .other
  }

  /// Whether a line goes on with the one before.
  static func goesOn(_ line: String) -> Bool {
    ["  ", "}", "]"].contains(where: line.hasPrefix)
  }

  private mutating func continueLast(_ line: String) -> Bool {
    switch entries.last {
    case .input(var input):
      input.lines.append(line)
      entries[entries.count - 1] = .input(input)
    case .output(var lines):
      lines.append(line)
      entries[entries.count - 1] = .output(lines)
    case .text, nil: return false
    }
    return true
  }

  private mutating func appendOutput(_ line: String) {
    if case .output(let lines) = entries.last {
      entries[entries.count - 1] = .output(lines + [line])
    } else {
      entries.append(.output([line]))
    }
  }

  private mutating func readHeader(_ line: String) {
    guard let colon = line.firstIndex(of: ":") else { return }
    let name = String(line[..<colon])
    guard Self.headerNames.contains(name) else { return }
    headers[name] = String(line[line.index(after: colon)...].drop { $0 == " " })
  }
}

/// What is wrong with a transcript, in one sentence.
package struct TranscriptError: Error, Sendable, CustomStringConvertible {
  package var description: String
  init(_ description: String) { self.description = description }
}

extension Transcript {
  /// Each input with the output that is written down for it.
  package var exchanges: [(input: Input, output: [String])] {
    var exchanges: [(input: Input, output: [String])] = []
    for entry in entries {
      switch entry {
      case .text: break
      case .input(let input): exchanges.append((input, []))
      case .output(let lines):
        if !exchanges.isEmpty { exchanges[exchanges.count - 1].output += lines }
      }
    }
    return exchanges
  }

  /// The file's text with other output; everything else stays.
  package func text(withOutputs outputs: [[String]]) -> String {
    var lines: [String] = []
    var outputs = outputs[...]
    for entry in entries {
      switch entry {
      case .text(let line): lines.append(line)
      case .input(let input):
        lines.append("\(input.sender.rawValue) \(input.lines[0])")
        lines += input.lines.dropFirst()
        lines += outputs.popFirst() ?? []
      case .output: break
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
