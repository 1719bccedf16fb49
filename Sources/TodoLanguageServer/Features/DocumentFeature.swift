import JSONRPC
import TodoDocument
import TodoModel

/// Requests about one document that are answered immediately, without a request to the store.
enum DocumentFeature: String {
  case codeAction = "textDocument/codeAction"
  case completion = "textDocument/completion"
  case documentSymbol = "textDocument/documentSymbol"
  case documentLink = "textDocument/documentLink"
  case foldingRange = "textDocument/foldingRange"
  case semanticTokens = "textDocument/semanticTokens/full"
}

extension LSPAdapter {
  /// Returns the result of a request; JSON `null` if the document is not managed.
  func answer(_ feature: DocumentFeature, _ params: Params) throws(RPCError) -> JSON {
    let uri = try params.object("textDocument").string("uri")
    guard let number = documents.number(of: uri), let document = documents[number]?.document,
      document.isManaged
    else { return .null }
    func shown(_ read: ReadText) -> ShownDocument {
      ShownDocument(
        uri: uri, version: document.version, read: read, contents: document.contents,
        capabilities: capabilities, today: today, requestedEdit: document.requestedEdit)
    }
    switch feature {
    case .completion:
      let position = try TextPosition(try params.object("position"))
      return Completion(document, at: position, capabilities.encoding, on: today)?.items ?? .null
    case .codeAction:
      let range = try params.object("range")
      let start = try TextPosition(try range.object("start")).line
      let end = try TextPosition(try range.object("end")).line
      let lines = start...max(start, end)
      return CodeActions(shown(document.read(around: lines)), details).all(lines: lines)
    case .documentSymbol: return DocumentSymbols(shown(document.current)).json
    case .documentLink: return shown(document.current).links
    case .foldingRange: return shown(document.current).folds
    case .semanticTokens: return shown(document.current).tokens
    }
  }
}

/// A managed document (`OpenDocument.isManaged`) at the time of a request: the parsed text of its
/// buffer, and the list as last read.
struct ShownDocument {
  let uri: String
  let version: Int64?
  let read: ReadText
  let contents: DocumentContents?
  let capabilities: ClientCapabilities
  let today: CivilDay
  /// The edit that updates the buffer, for a client that gets edits only on request.
  var requestedEdit: ServerEdit?

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

  /// Returns the byte range of the first line of a todo.
  func head(_ todo: ShownTodo) -> Range<Int> { head(at: todo.place) }

  /// Returns the byte range of the first line in `place`. The range `place` must begin at the start
  /// of a line.
  func head(at place: Range<Int>) -> Range<Int> {
    let line = read.text.line(read.text.lineNumber(at: place.lowerBound))
    return place.lowerBound..<place.lowerBound + line.count
  }

  // MARK: Symbols

  /// `SymbolKind.Boolean`, the kind that is closest to a todo.
  static let symbolKind = JSON.integer(17)

  /// Returns the name of the symbol for a todo or heading with a title. The name is on one line,
  /// and is never empty.
  static func symbolName(_ title: String) -> String {
    title.isEmpty ? "(no title)" : PrintableText.escaped(title)
  }

  // MARK: Links

  /// The maximum number of links in a response.
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
        // Punctuation after a link and a bracket around a link are not part of the link.
        while end > index, ".,;:!?)]'".utf8.contains(bytes[end - 1]) { end -= 1 }
        return index..<end
      }
      index += 1
    }
    return nil
  }

  // MARK: Folds and tokens

  /// The folding ranges of notes and of the texts of conflicts.
  var folds: JSON {
    .array(
      todos.filter { $0.lines.count > 1 }.map { todo in
        [
          "startLine": .integer(Int64(todo.lines.lowerBound)),
          "endLine": .integer(Int64(todo.lines.upperBound)),
        ]
      })
  }

  /// The semantic tokens: completed todos are shown as comments.
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
