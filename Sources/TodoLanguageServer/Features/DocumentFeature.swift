import JSONRPC
import TodoDocument
import TodoModel

/// What is answered from the buffer alone.
enum DocumentFeature: String {
  case codeAction = "textDocument/codeAction"
  case completion = "textDocument/completion"
  case documentSymbol = "textDocument/documentSymbol"
  case documentLink = "textDocument/documentLink"
  case foldingRange = "textDocument/foldingRange"
  case semanticTokens = "textDocument/semanticTokens/full"
}

extension LSPAdapter {
  /// The answer; null for a document that is not a list of ours.
  func answer(_ feature: DocumentFeature, _ params: Params) throws(RPCError) -> JSON {
    let uri = try params.object("textDocument").string("uri")
    guard let number = number(of: uri), let document = documents[number]?.document,
      document.isManaged
    else { return .null }
    // Parses the whole text.
    func shown() -> ShownDocument {
      ShownDocument(
        uri: uri, version: document.version, read: document.current, contents: document.contents,
        capabilities: capabilities, today: today)
    }
    switch feature {
    case .completion:
      let position = try TextPosition(try params.object("position"))
      return Completion(document, at: position, capabilities.encoding, on: today)?.items ?? .null
    case .codeAction:
      let range = try params.object("range")
      let start = try TextPosition(try range.object("start")).line
      let end = try TextPosition(try range.object("end")).line
      return CodeActions(shown(), details).all(lines: start...max(start, end))
    case .documentSymbol: return DocumentSymbols(shown()).json
    case .documentLink: return shown().links
    case .foldingRange: return shown().folds
    case .semanticTokens: return shown().tokens
    }
  }
}

/// A document of ours as it stands in its buffer.
struct ShownDocument {
  let uri: String
  let version: Int64?
  let read: ReadText
  let contents: DocumentContents?
  let capabilities: ClientCapabilities
  let today: CivilDay

  /// A todo in the document.
  struct ShownTodo {
    var index: Int
    var line: DocumentLine
    var place: Range<Int>
    var lines: ClosedRange<Int>
  }

  var todos: [ShownTodo] {
    read.document.entries.enumerated().compactMap { index, entry in
      guard case .todo(let line) = entry else { return nil }
      let place = read.places.entries[index]
      let first = read.text.lineNumber(at: place.lowerBound)
      return ShownTodo(
        index: index, line: line, place: place,
        lines: first...max(first, read.text.lineNumber(at: place.upperBound)))
    }
  }

  func range(_ range: Range<Int>) -> TextRange {
    TextRange(range, in: read.text, capabilities.encoding)
  }

  /// The first line of a todo.
  func head(_ todo: ShownTodo) -> Range<Int> { head(at: todo.place) }

  /// The first line of a place.
  func head(at place: Range<Int>) -> Range<Int> {
    let line = read.text.line(read.text.lineNumber(at: place.lowerBound))
    return place.lowerBound..<place.lowerBound + line.count
  }

  // MARK: Symbols

  /// Boolean: what a todo is, more than anything else that there is a word for.
  static let symbolKind = JSON.integer(17)

  /// A name is shown on one line, and has to be something.
  static func symbolName(_ title: String) -> String {
    title.isEmpty ? "(no title)" : PrintableText.escaped(title)
  }

  // MARK: Links

  /// How many links are answered at most.
  private static let linksMax = 10_000

  var links: JSON {
    let text = read.text
    var links: [JSON] = []
    for line in text.lineStarts.indices {
      let bytes = text.line(line)
      var rest = bytes
      while links.count < Self.linksMax, let place = Self.firstLink(in: rest) {
        let target = String(decoding: text.bytes[place], as: UTF8.self)
        links.append(["range": range(place).json, "target": .string(target)])
        rest = bytes[place.upperBound...]
      }
    }
    return .array(links)
  }

  private static func firstLink(in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let rest = bytes[index...]
      if rest.first == UInt8(ascii: "h"),
        rest.starts(with: "http://".utf8)
          || rest.starts(with: "https://".utf8)
      {
        var end = rest.firstIndex { $0 <= 0x20 || "<>\"`".utf8.contains($0) } ?? bytes.endIndex
        // What ends a sentence, or brackets round it, is not of the link.
        while end > index, ".,;:!?)]'".utf8.contains(bytes[end - 1]) { end -= 1 }
        return index..<end
      }
      index += 1
    }
    return nil
  }

  // MARK: Folds and tokens

  /// Notes, and the texts of conflicts.
  var folds: JSON {
    .array(
      todos.filter { $0.lines.count > 1 }.map { todo in
        [
          "startLine": .integer(Int64(todo.lines.lowerBound)),
          "endLine": .integer(Int64(todo.lines.upperBound)),
        ]
      })
  }

  /// What is done is a comment.
  var tokens: JSON {
    var data: [JSON] = []
    var last = 0
    for todo in todos where todo.line.content.isDone {
      for line in todo.lines {
        let length = capabilities.encoding.count(of: read.text.line(line))
        guard length > 0 else { continue }
        for number in [line - last, 0, length, 0, 0] { data.append(.integer(Int64(number))) }
        last = line
      }
    }
    return ["data": .array(data)]
  }
}
