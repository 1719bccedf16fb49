import TestSupport
import TodoModel

/// What people in front of the servers do. They see before they act, and name the version that
/// they saw.
extension Simulation {
  func letPersonAct(at index: Int) throws {
    guard let server = servers[index] else { return }
    let author = "ann at \(index)"
    atRisk = []
    do throws(TodoError) {
      let todos = try server.todos()
      switch random.below(20) {
      case 0...3: try add(author, on: server)
      case 4: server.sync()
      case 5: server.load()
      case 7: try removeOne(of: todos, on: server)
      case 8: try travel(author, server, from: todos)
      case 9...11: try decideLater(index, server)
      default:
        // It takes a while to type, and meanwhile others go on.
        if let todo = random.pick(todos) { plan(.edit(index, todo), after: 0...20_000) }
      }
      if random.happens(percent: 25) { server.sync() }
    } catch {
      try record(error, of: author)
    }
  }

  private func add(_ author: String, on server: LoopServer) throws(TodoError) {
    let (title, line) = (ledger.newTitle(), ledger.newLine())
    let todo = try server.add(TodoDraft(title: title, note: random.flag() ? line : ""))
    record("\(author) adds \(todo.id) \(todo.content.brief)")
    ledger.acknowledge(Ledger.words(todo.content).subtracting([""]), by: author)
  }

  private func removeOne(of todos: [Todo], on server: LoopServer) throws(TodoError) {
    guard let todo = random.pick(todos) else { return }
    atRisk = Ledger.words(todo.content)
    try server.remove(todo.id, expectedVersion: todo.version)
    record("removes \(todo.id) \(todo.content.brief)")
    ledger.excuse(Ledger.words(todo.content), "removed here")
  }

  func edit(_ todo: Todo, at index: Int) throws {
    guard let server = servers[index] else { return }
    let author = "ann at \(index)"
    do throws(TodoError) {
      try edit(todo, author, on: server)
    } catch {
      try record(error, of: author)
    }
  }

  /// What somebody is told who did not get what was asked for.
  private func record(_ error: TodoError, of author: String) throws(Violation) {
    // Nobody knows whether it will be done.
    if error.kind == .busy { ledger.excuse(atRisk, "not answered") }
    // Somebody else was faster.
    guard [.conflict, .notFound, .nothingToUndo, .busy].contains(error.kind) else {
      throw Violation("\(author) was told: \(error)")
    }
    record("\(author): \(error.kind)")
  }

  private func edit(
    _ todo: Todo, _ author: String, on server: LoopServer
  ) throws(TodoError) {
    var edit = TodoEdit(isDone: !todo.content.isDone)
    switch random.below(4) {
    case 0: break
    case 1: edit = try TodoEdit(title: ledger.newTitle())
    case 2: edit = try TodoEdit(note: noteWithOneMore(todo.content.note))
    default:
      edit = try TodoEdit(title: ledger.newTitle(), note: noteWithOneMore(todo.content.note))
    }
    edit.expectedVersion = todo.version
    atRisk = Ledger.words(todo.content)
    let after = try server.edit(todo.id, edit)
    record(
      "\(author) edits \(todo.id) v\(after.version): \(todo.content.brief) -> \(after.content.brief)"
    )
    let words = Ledger.words(after.content)
    ledger.excuse(Ledger.words(todo.content).subtracting(words), "edited here")
    ledger.acknowledge(words.subtracting(Ledger.words(todo.content)), by: author)
  }

  func noteWithOneMore(_ note: String) -> String {
    note.isEmpty ? ledger.newLine() : "\(note)\n\(ledger.newLine())"
  }

  private func travel(
    _ author: String, _ server: LoopServer, from before: [Todo]
  ) throws(TodoError) {
    atRisk = Set(before.flatMap { Ledger.words($0.content) })
    if random.flag() { try server.undo() } else { try server.redo() }
    let old = Set(before.flatMap { Ledger.words($0.content) })
    let new = Set(try server.todos().flatMap { Ledger.words($0.content) })
    record(
      "\(author) undoes or redoes: -\(old.subtracting(new).sorted()) +\(new.subtracting(old).sorted())"
    )
    ledger.excuse(old.subtracting(new), "undone here")
  }

  // MARK: Conflicts

  private func decideLater(_ index: Int, _ server: LoopServer) throws(TodoError) {
    guard let conflict = random.pick(try server.conflicts()) else { return }
    plan(.decision(index, conflict), after: 0...30_000)
  }

  func decide(_ conflict: SeenConflict, at index: Int) throws {
    guard let server = servers[index] else { return }
    atRisk = conflict.words
    do throws(TodoError) {
      let resolution: Resolution
      switch random.below(3) {
      case 0: resolution = .keep(.mine)
      case 1: resolution = .keep(.theirs)
      default:
        var lines = conflict.mine.note.split(separator: "\n")
        for line in conflict.theirs.note.split(separator: "\n") where !lines.contains(line) {
          lines.append(line)
        }
        resolution = .merged(
          try TodoEdit(
            title: conflict.mine.title == conflict.theirs.title ? nil : ledger.newTitle(),
            note: lines.joined(separator: "\n")))
      }
      let todo = try server.resolve(conflict.id, version: conflict.version, to: resolution)
      record(
        "decides \(conflict.id) v\(conflict.version) \(conflict.mine.brief) | \(conflict.theirs.brief) -> \(todo.content.brief)"
      )
      let words = Ledger.words(todo.content)
      ledger.excuse(conflict.words.subtracting(words), "decided here")
      ledger.acknowledge(words.subtracting(conflict.words), by: "ann at \(index)")
    } catch {
      try record(error, of: "ann at \(index)")
    }
  }
}

extension TodoContent {
  /// For the log of a run.
  var brief: String {
    "\(title)\(isDone ? " x " : " ")\(note.split(separator: "\n").joined(separator: ","))"
  }
}
