/// A recorded session: prose that explains it, headers, and the exchanged messages.
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
/// `-->` is a message from the front-end, `~~>` an external event, `<--` a message from the server,
/// `<~~` a request or an effect of the server, and `==` a line of the screen in front. A line that
/// begins with two spaces or a closing bracket continues the previous line. Empty lines and lines
/// that begin with `#` are comments.
package struct Transcript: Sendable {
  /// The settings in the lines before the first input.
  package private(set) var headers: [String: String] = [:]
  package private(set) var entries: [Entry] = []

  package enum Entry: Sendable, Equatable {
    /// A line that stays unchanged when the expected outputs are updated: prose, a header, a
    /// comment or an empty line.
    case text(String)
    case input(Input)
    case output([String])
  }

  /// An input for the server.
  package struct Input: Sendable, Equatable {
    package enum Sender: String, Sendable {
      case frontEnd = "-->"
      case world = "~~>"
    }
    package var sender: Sender
    /// The lines in the file. The arrow of the first line is left out.
    package var lines: [String]
    /// The line number in the file, starting at 1.
    package var lineNumber: Int

    package var text: String { lines.joined(separator: "\n") }
  }

  private static let headerNames: Set<String> = [
    "store", "source", "sync", "clock", "framing", "renderings", "register", "process", "notice",
    "github", "ids", "token", "timezone",
  ]

  /// Parses a transcript; throws an error whose message contains the line number.
  package init(_ text: String) throws(TranscriptError) {
    var hasStarted = false
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let line = String(line)
      switch Self.kind(of: line) {
      case .continuation:
        guard continueLast(line) else {
          throw TranscriptError("line \(index + 1): there is no line to continue")
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
    // The line feed at the end of the file does not begin another line.
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
    return isContinuation(line) ? .continuation : .other
  }

  /// Returns whether a line continues the previous one, like the members of an object on several
  /// lines.
  static func isContinuation(_ line: String) -> Bool {
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

/// An error in a transcript.
package struct TranscriptError: Error, Sendable, CustomStringConvertible {
  package var description: String
  init(_ description: String) { self.description = description }
}

extension Transcript {
  /// The inputs, each with the output that the transcript expects.
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

  /// Returns the text of the file, with `outputs` instead of the expected outputs. Everything else
  /// stays unchanged.
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
