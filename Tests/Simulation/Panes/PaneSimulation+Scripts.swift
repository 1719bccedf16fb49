import TodoModel

/// Clients without panes, which use methods for scripts.
extension PaneSimulation {
  func runScript(_ frontEnd: PaneFrontEnd, _ server: LoopServer) throws {
    defer { frontEnd.collect() }
    guard let todos = try? server.todos() else { return }
    let todo = random.pick(todos)
    switch random.below(20) {
    case 0..<7: if let todo { try edit(todo, of: server) }
    case 7..<11: if let todo { try setLabels(of: todo, of: server) }
    case 11..<13: if let todo { try tick(todo, of: server) }
    case 13..<15: if todos.count > 1, let todo { try remove(todo, of: server) }
    case 15..<17: if todos.count < 4 { try add(to: server) }
    default: try undo(in: server)
    }
  }

  private func edit(_ todo: Todo, of server: LoopServer) throws {
    guard let list = openList(of: server) else { return }
    var (title, note) = (todo.content.title, todo.content.note)
    var removed: Set<String> = []
    if random.happens(percent: 30) {
      let words = title.split(separator: " ").map(String.init)
      title = (words.suffix(4) + [ledger.newTitle(in: list.text)]).joined(separator: " ")
      removed = PaneWords.words(words.dropLast(4))
    } else {
      var lines = note.split(separator: "\n").map(String.init)
      if lines.count > 6 { removed = PaneWords.words(lines.removeFirst()) }
      lines.insert(ledger.newLine(in: list.text), at: random.below(lines.count + 1))
      note = lines.joined(separator: "\n")
    }
    let edit = try TodoEdit(title: title, note: note, expectedVersion: todo.version)
    let hasEnded = (try? server.edit(todo.id, edit)) != nil
    record(
      "a script edits \(todo.id) of \(list.text): \(title), \(note.debugDescription), \(hasEnded)")
    try checkStore(after: "a script's edit", mayRemove: removed)
  }

  /// Adds a label to a todo without labels, or removes all labels of a todo. A form of the todo may
  /// be open during this change, and possibly does not show the new labels.
  private func setLabels(of todo: Todo, of server: LoopServer) throws {
    guard let list = openList(of: server) else { return }
    var labels = LabelSet()
    if todo.content.labels.isEmpty { labels.insert(ledger.newLabel(in: list.text)) }
    var edit = try TodoEdit()
    edit.expectedVersion = todo.version
    edit.changes[LabelField.self] = labels
    _ = try? server.edit(todo.id, edit)
    record("a script sets the labels of \(todo.id) of \(list.text): \(labels.texts)")
    try checkStore(after: "a script's labels", mayRemove: Set(todo.content.labels.texts))
  }

  private func tick(_ todo: Todo, of server: LoopServer) throws {
    var edit = TodoEdit(isDone: !todo.content.isDone)
    edit.expectedVersion = todo.version
    _ = try? server.edit(todo.id, edit)
    record("a script ticks \(todo.id)")
    try checkStore(after: "a script's tick")
  }

  private func remove(_ todo: Todo, of server: LoopServer) throws {
    try? server.remove(todo.id, expectedVersion: todo.version)
    record("a script removes \(todo.id)")
    try checkStore(after: "a script's removal", mayRemove: PaneWords.words(todo))
  }

  private func add(to server: LoopServer) throws {
    guard let list = openList(of: server) else { return }
    _ = try? server.add(NewTodo(title: ledger.newTitle(in: list.text), note: ""))
    record("a script adds a todo to \(list.text)")
    try checkStore(after: "a script's addition")
  }

  /// Undoes a change. The undo may remove the words of this change.
  private func undo(in server: LoopServer) throws {
    let id = try? server.undo()
    record("a script undoes a change of \(id?.text ?? "nothing")")
    try checkStore(after: "a script's undo", mayRemove: storedWords(of: id))
  }

  /// Returns the list that the server has open.
  private func openList(of server: LoopServer) -> TodoListKey? {
    frontEnds.first { $0.server === server }?.openList
  }
}
