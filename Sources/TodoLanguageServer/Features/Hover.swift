import JSONRPC
import ScreenModel
import TodoModel
import TodoWorkflows

/// Hover information, and the search for symbols.
extension LSPAdapter {
  mutating func hover(_ params: Params, _ address: ReplyAddress) throws(RPCError) -> AdapterRequest?
  {
    let uri = try params.object("textDocument").string("uri")
    let position = try TextPosition(try params.object("position"))
    guard refusal == nil, let number = documents.number(of: uri),
      let document = documents[number]?.document, document.isManaged
    else {
      connection.answer(address, .null)
      return nil
    }
    let read = document.read(around: position.line...position.line)
    guard let index = read.entry(atLine: position.line), let id = read.todo(ofEntry: index) else {
      connection.answer(address, .null)
      return nil
    }
    let range = TextRange(read.places.entries[index], in: read.text, capabilities.encoding)
    return begin(
      .list(.ask(.todo(id))), address, InFlightCall(address, purpose: .hover(range)))
  }

  /// Responds to a hover request with a description of the todo. The description is plain text,
  /// because the user's text is not Markdown.
  mutating func endHover(_ call: InFlightCall, _ range: TextRange, _ outcome: TodoOutcome) {
    guard let address = call.address else { return }
    guard case .answered(.todo(let todo)) = outcome else {
      return connection.answer(address, .null)
    }
    connection.answer(
      address,
      [
        "contents": ["kind": "plaintext", "value": .string(PrintableText.lines(todo.description))],
        "range": range.json,
      ])
  }

  // MARK: Symbols

  /// The maximum number of todos in a response.
  private static let symbolsMax = 200

  mutating func searchSymbols(
    _ params: Params, _ address: ReplyAddress
  ) throws(RPCError) -> AdapterRequest? {
    let text = try params.string("query")
    guard refusal == nil, documents.values.contains(where: { $0.document.isManaged }) else {
      connection.answer(address, .null)
      return nil
    }
    let query = TodoQuery(
      text: text, limit: Self.symbolsMax, fields: [.id, .content(.title), .content(.done)])
    return begin(.list(.page(query)), address, InFlightCall(address, purpose: .symbols))
  }

  /// Responds to a search for symbols. The response contains only the found todos that an open
  /// document shows, because a symbol needs a location.
  mutating func endSymbols(_ call: InFlightCall, _ outcome: TodoOutcome) {
    guard let address = call.address else { return }
    guard case .page(let page, _) = outcome else { return connection.answer(address, .null) }
    var places: [TodoID: JSON] = [:]
    for entry in documents.values where entry.document.isManaged && !entry.document.isClosed {
      let shown = ShownDocument(
        uri: entry.uri, version: nil, read: entry.document.current, contents: nil,
        capabilities: capabilities,
        today: today)
      for todo in shown.todos {
        guard let id = shown.read.todo(ofEntry: todo.index) else { continue }
        places[id] = ["uri": .string(entry.uri), "range": shown.range(shown.head(todo)).json]
      }
    }
    let symbols = page.elements.compactMap { todo in
      places[todo.id].map { place -> JSON in
        [
          "name": .string(ShownDocument.symbolName(todo.content.title)),
          "kind": ShownDocument.symbolKind,
          "location": place, "containerName": todo.content.isDone ? "done" : "open",
        ]
      }
    }
    connection.answer(address, .array(symbols))
  }
}

extension Todo {
  /// The text of a hover: the state, the source and the times, each on a line.
  fileprivate var description: String {
    let state =
      switch sync {
      case .local: "kept here only"
      case .synced: "as its source has it"
      case .pending: "not yet sent to its source"
      case .conflict: "changed here and at its source"
      case .failed: "refused by its source"
      }
    var lines = ["\(content.isDone ? "Done" : "Open"), \(state)"]
    if let failure { lines.append(failure.message) }
    if let origin {
      lines.append((origin.number.map { "#\($0) " } ?? "") + origin.url)
    }
    lines.append("Added \(createdAt), changed \(updatedAt), version \(version)")
    return lines.joined(separator: "\n")
  }
}
