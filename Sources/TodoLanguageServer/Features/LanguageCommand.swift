import JSONRPC
import ScreenModel
import TodoDocument
import TodoModel
import TodoWorkflows

/// A command that an editor can run.
struct LanguageCommand: Sendable {
  var name: Name
  var id: TodoID?

  enum Name: String, Sendable, CaseIterable {
    case toggle = "todo-server.toggle"
    case undo = "todo-server.undo"
    case redo = "todo-server.redo"
    case keepMine = "todo-server.keepMine"
    case takeTheirs = "todo-server.takeTheirs"
    case takeMerge = "todo-server.takeMerge"
    case open = "todo-server.open"
    case sync = "todo-server.sync"
    /// Sends the edits that update the open documents, for clients that get edits only on request.
    case refresh = "todo-server.refresh"
  }
}

extension LSPAdapter {
  mutating func execute(
    _ params: Params, _ address: ReplyAddress
  ) throws(RPCError) -> AdapterRequest? {
    let word = try params.string("command")
    guard let name = LanguageCommand.Name(rawValue: word) else {
      throw params.invalid("command", "unknown: \(RPCError.excerpt(of: word))")
    }
    if let refusal { throw .requestFailed(PrintableText.escaped(refusal.message)) }
    let arguments = try params.optionalArray("arguments") ?? []
    var command = LanguageCommand(name: name)
    let operation: TodoOperation
    switch name {
    case .undo: operation = .list(.undo)
    case .redo: operation = .list(.redo)
    case .sync: operation = .sync(SyncRequest())
    case .refresh:
      connection.answer(address, .null)
      for number in documents.keys where capabilities.appliesEdits {
        if let edit = documents[number]?.document.requestedEdit { send(edit, of: number) }
      }
      return nil
    case .toggle, .open:
      let id = try Self.id(arguments, at: 0, params)
      command.id = id
      operation = name == .toggle ? .list(.toggle(id)) : .list(.ask(.todo(id)))
    case .keepMine, .takeTheirs, .takeMerge:
      operation = try settle(name, arguments, params)
    }
    var call = InFlightCall(address, purpose: .command(command))
    if name == .sync {
      call.progress = progresses.begin(
        "Syncing todos", token: try params.optionalRequestID("workDoneToken"),
        asks: capabilities.makesProgress, in: &connection)
    }
    return begin(operation, address, call)
  }

  /// Returns the operation that resolves a conflict with one of the texts that an open document
  /// shows, or with the merge of these texts.
  ///
  /// - Throws: `contentModified` if the todo has changed since the client got the command, or if
  ///   the document is not open.
  private func settle(
    _ name: LanguageCommand.Name, _ arguments: [JSON], _ params: Params
  ) throws(RPCError) -> TodoOperation {
    let uri = arguments.first?.stringValue ?? ""
    let id = try Self.id(arguments, at: 1, params)
    guard let number = documents.number(of: uri), let document = documents[number]?.document,
      let todo = document.contents?.todos.first(where: { $0.id == id }),
      todo.version == arguments.dropFirst(2).first?.integerValue,
      let content = todo.chosen(name, details.conflicts[id])
    else { throw .contentModified("This todo is not in conflict any more.") }
    let digest = LineDigest.side(content)
    let edit = DocumentEdit(
      version: todo.version, content: content, fields: ContentField.inDocument, lineDigest: nil,
      sideDigest: digest, additionKey: AdditionKey(digest: digest, occurrence: 0))
    return .list(
      .document(
        .save(
          DocumentSave(
            path: document.key, generation: 0,
            changes: [.settle(id, edit, dropping: LineDigests(todo).sides)]))))
  }

  private static func id(
    _ arguments: [JSON], at index: Int, _ params: Params
  ) throws(RPCError) -> TodoID {
    guard arguments.indices.contains(index), let text = arguments[index].stringValue else {
      throw params.invalid("arguments[\(index)]", "expected the id of a todo")
    }
    return TodoID(text)
  }

  mutating func begin(
    _ operation: TodoOperation, _ address: ReplyAddress, _ call: InFlightCall
  ) -> AdapterRequest {
    let token = OperationToken(number: address.number)
    let request = AdapterRequest.perform(operation, token)
    var call = call
    // A request without text does not retain the params, so their bytes do not count towards the
    // limits of the connection.
    call.address =
      request.hasText ? address : connection.setRetainedByteCount(address, byteCount: 0)
    calls[token] = call
    return request
  }

  // MARK: Outcomes

  mutating func end(_ command: LanguageCommand, _ call: InFlightCall, _ outcome: TodoOutcome) {
    guard let address = call.address else { return }
    if let token = call.progress { progresses.end(token, outcome.summary, in: &connection) }
    if case .failed(let error) = outcome {
      return connection.refuse(address, .requestFailed(PrintableText.escaped(error.message)))
    }
    if capabilities.program.stopsReadingAfterResponse {
      doneCommands.append(address)
    } else {
      connection.answer(address, .null)
    }
    switch (command.name, outcome) {
    case (.open, .answered(.todo(let todo))): openAtSource(todo)
    case (.undo, .restored(let restored)): show(.info, "Undone: \(restored.summary)")
    case (.redo, .restored(let restored)): show(.info, "Redone: \(restored.summary)")
    case (.sync, .synced(let report)):
      if let error = report.error { show(.error, "Not everything was synced: \(error.message)") }
    case (.keepMine, _), (.takeTheirs, _), (.takeMerge, _):
      for number in documents.keys { documents[number]?.document.recordDecision() }
    case (_, _): break
    }
  }

  private mutating func openAtSource(_ todo: Todo) {
    guard let origin = todo.origin else {
      return show(.info, "This todo is not at its source yet.")
    }
    guard capabilities.showsDocuments else { return show(.info, origin.url) }
    _ = connection.request(
      "window/showDocument", ["uri": .string(origin.url), "external": true])
  }
}

extension TodoOutcome {
  /// The result of a sync, in a few words.
  fileprivate var summary: String {
    guard case .synced(let report) = self else { return "Not done" }
    return "\(report.pushed) sent, \(report.pulled) fetched, \(report.conflicts) in conflict"
  }
}
