import JSONRPC
import TodoModel

/// Requests that a user's script sends together, and their responses.
extension Simulation {
  private static let requestsMax = 12

  /// Sends several requests in one piece. Usually, one of them is a sync.
  func pipeline(at index: Int) throws(TodoError) {
    guard let server = servers[index] else { return }
    var todos = try server.todos()
    var list = server.list
    var requests: [PipelinedRequest] = []
    for _ in 0...extra.below(Self.requestsMax) {
      switch extra.below(20) {
      case ..<6:
        guard list.acceptsNew else { continue }
        let draft = try newDraft(in: list)
        requests.append(PipelinedRequest(.add(draft), in: list))
        if extra.happens(percent: 15) {
          requests.append(PipelinedRequest(.undoAddition(draft), in: list))
        }
      case ..<10:
        guard !todos.isEmpty else { continue }
        let todo = todos.remove(at: extra.below(todos.count))
        let kind: PipelinedRequest.Kind =
          extra.happens(percent: 20) ? .remove(todo) : .edit(todo, try newEdit(of: todo, in: list))
        requests.append(PipelinedRequest(kind, in: list))
      case ..<12: requests.append(PipelinedRequest(.list, in: list))
      case ..<14: requests.append(PipelinedRequest(.load(refresh: extra.flag()), in: list))
      case ..<18: requests.append(PipelinedRequest(.sync, in: list))
      default:
        guard extra.happens(percent: scenario.switchPercent),
          let next = extra.pick(scenario.lists.filter { $0 != list })
        else { continue }
        if next.profile != list.profile {
          requests.append(PipelinedRequest(.logOut, in: list))
          requests.append(PipelinedRequest(.logIn, in: next))
        }
        if scenario.sources.count > 1 { requests.append(PipelinedRequest(.openList, in: next)) }
        list = next
        // The ids of these todos belong to the previous list.
        todos = []
      }
    }
    let unsent = try unsentVersions(in: server.list, at: server)
    for position in requests.indices where requests[position].list == server.list {
      requests[position].unsent = unsent
    }
    record("\(server.list.profile) at \(index): \(requests.map(\.brief).joined(separator: ", "))")
    server.pipeline(requests, cut: extra.flag() ? nil : extra.below(600))
  }

  private func newDraft(in list: TodoListKey) throws(TodoError) -> NewTodo {
    let (title, line) = (ledger.newTitle(in: list.home), ledger.newLine(in: list.home))
    return try newDraft(title: title, note: extra.flag() ? line : "", in: list.home)
  }

  func newEdit(of todo: Todo, in list: TodoListKey) throws(TodoError) -> TodoEdit {
    var edit = TodoEdit(isDone: !todo.content.isDone)
    switch extra.below(4) {
    case 0: break
    case 1: edit = try TodoEdit(title: ledger.newTitle(in: list.home))
    case 2: edit = try TodoEdit(note: noteWithOneMore(todo.content.note, in: list.home))
    default:
      edit = try TodoEdit(
        title: ledger.newTitle(in: list.home),
        note: noteWithOneMore(todo.content.note, in: list.home))
    }
    addFields(to: &edit, of: todo, in: list.home)
    return edit
  }

  private func unsentVersions(
    in list: TodoListKey, at server: LoopServer
  ) throws(TodoError) -> [TodoID: Int64] {
    try server.storedTodos(in: list).reduce(into: [:]) { versions, todo in
      if todo.sync == .pending { versions[todo.id] = todo.version }
    }
  }

  // MARK: Responses

  func readResponses() throws {
    for server in servers.compactMap({ $0 }) {
      for (id, body) in server.drainResponses() { try read(body, to: id, from: server) }
      if let problem = server.problem { throw Violation(problem) }
    }
  }

  /// Checks that all requests are answered, except for those that wait for the network.
  func checkAnswered() throws {
    for server in servers.compactMap({ $0 }) {
      guard let request = server.pending.first(where: \.isAnsweredInOrder) else { continue }
      throw Violation("\(request.brief) is not answered.")
    }
  }

  private func read(_ body: JSONObject, to id: Int64, from server: LoopServer) throws {
    guard let position = server.pending.firstIndex(where: { $0.id == id }) else { return }
    let request = server.pending[position]
    if let earlier = server.pending[..<position].first(where: \.isAnsweredInOrder) {
      throw Violation("\(request.brief) was answered before the earlier \(earlier.brief).")
    }
    server.pending.remove(at: position)
    let result: JSON
    do throws(TodoError) {
      result = try LoopServer.result(of: body)
    } catch {
      record("p\(server.number) \(request.brief): \(error.kind)")
      guard request.allows(error) else { throw Violation("\(request.brief) got \(error)") }
      return
    }
    record("p\(server.number) \(request.brief) is answered")
    try read(result, of: request, from: server)
  }

  private func read(
    _ result: JSON, of request: PipelinedRequest, from server: LoopServer
  ) throws {
    let author = "\(request.list.profile) by a script"
    switch request.kind {
    case .add:
      let todo = Todo(result["todo"] ?? .null)
      ledger.acknowledge(Ledger.words(todo.content).subtracting([""]), by: author)
      addUnsent(todo, after: request, at: server)
    case .edit(let before, let edit):
      let todo = Todo(result["todo"] ?? .null)
      if let labels = edit.changes[LabelField.self] {
        for label in before.content.labels.subtracting(labels).texts {
          ledger.remove(label, from: before.id)
        }
      }
      let (old, new) = (Ledger.words(before.content), Ledger.words(todo.content))
      ledger.replace(old.subtracting(new), by: author, in: request.list)
      ledger.acknowledge(new.subtracting(old).subtracting([""]), by: author)
      if todo.version != before.version { addUnsent(todo, after: request, at: server) }
    case .remove(let todo):
      ledger.excuse(request.wordsAtRisk, "removed by a script")
      allowReturnOfLabels(of: todo, in: request.list)
    case .undoAddition(let draft):
      let title = result["title"]?.stringValue ?? ""
      guard result["what"] == "add", title == draft.content.title else {
        throw Violation("Instead of the addition of \(draft.content.title), \(title) was undone.")
      }
      ledger.excuse(request.wordsAtRisk, "undone by a script")
    case .list:
      let todos = (result["todos"]?.arrayValue ?? []).map { Todo($0) }
      try ledger.checkHomes(of: Ledger.words(todos), in: request.list.home)
    case .sync: try checkSent(result, request, at: server)
    case .load, .openList, .logOut, .logIn: break
    }
  }

  /// Records that a change of a todo must be sent by every later sync of the same list.
  ///
  /// - Parameter request: The pipelined request that caused the change.
  private func addUnsent(_ todo: Todo, after request: PipelinedRequest, at server: LoopServer) {
    for position in server.pending.indices
    where server.pending[position].id > request.id && server.pending[position].list == request.list
    {
      server.pending[position].unsent[todo.id] = todo.version
    }
  }

  /// Checks that a sync has sent every earlier change. If there are several servers, another one
  /// may be sending them.
  private func checkSent(
    _ report: JSON, _ request: PipelinedRequest, at server: LoopServer
  ) throws {
    guard faults.serverCount == 1, report["retryAt"]?.stringValue == nil
    else { return }
    for todo in try server.storedTodos(in: request.list)
    where todo.sync == .pending && request.unsent[todo.id] == todo.version {
      throw Violation(
        "\(request.brief) was answered, and \(todo.id) v\(todo.version), which was changed before, "
          + "was not sent.")
    }
  }
}

extension PipelinedRequest {
  /// Whether an error is an expected response to the request.
  fileprivate func allows(_ error: TodoError) -> Bool {
    switch kind {
    // The network and another server may fail it.
    case .load, .sync: ![.storage, .validation, .notLoggedIn].contains(error.kind)
    case .edit, .remove: [.conflict, .notFound].contains(error.kind)
    case .add, .undoAddition, .list, .openList, .logOut, .logIn: false
    }
  }
}
