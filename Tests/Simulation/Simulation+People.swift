import TestSupport
import TodoModel

/// The actions of users at the servers. Users read todos before they act, and send the versions
/// that they have read.
extension Simulation {
  func letPersonAct(at index: Int) throws {
    guard let server = servers[index] else { return }
    atRisk = []
    let todos: [Todo]
    do throws(TodoError) {
      if extra.happens(percent: scenario.switchPercent), let list = extra.pick(scenario.lists) {
        record("server \(index) shows the list \(list.wireName) of \(list.profile)")
        try server.show(list)
      }
      if extra.happens(percent: scenario.pipelinePercent), server.list.acceptsNew {
        return try pipeline(at: index)
      }
      todos = try server.todos()
    } catch {
      return try record(error, of: "server \(index)")
    }
    try ledger.checkHomes(of: Ledger.words(todos), in: server.list.home)
    let author = "\(server.list.profile) at \(index)"
    do throws(TodoError) {
      switch random.below(20) {
      case 0...3: if server.list.acceptsNew { try add(author, on: server) }
      case 4: server.sync()
      case 5: server.load()
      case 7: try removeOne(of: todos, on: server)
      case 8: try travel(author, server)
      case 9...11: try decideLater(index, server)
      default:
        // Typing takes a while, during which other users act.
        if let todo = random.pick(todos) {
          plan(.edit(index, todo, server.list), after: 0...20_000)
        }
      }
      if random.happens(percent: 25) { server.sync() }
    } catch {
      try record(error, of: author)
    }
  }

  private func add(_ author: String, on server: LoopServer) throws(TodoError) {
    let home = server.list.home
    let (title, line) = (ledger.newTitle(in: home), ledger.newLine(in: home))
    let todo = try server.add(
      newDraft(title: title, note: random.flag() ? line : "", in: home))
    record("\(author) adds \(todo.id) \(todo.content.brief)")
    ledger.acknowledge(Ledger.words(todo.content).subtracting([""]), by: author)
  }

  private func removeOne(of todos: [Todo], on server: LoopServer) throws(TodoError) {
    guard let todo = random.pick(todos) else { return }
    atRisk = Ledger.words(todo.content)
    do throws(TodoError) {
      try server.remove(todo.id, expectedVersion: todo.version)
    } catch {
      if error.kind == .busy { allowReturnOfLabels(of: todo, in: server.list) }
      throw error
    }
    record("removes \(todo.id) \(todo.content.brief)")
    allowReturnOfLabels(of: todo, in: server.list)
    ledger.excuse(Ledger.words(todo.content), "removed here")
  }

  func edit(_ todo: Todo, in list: TodoListKey, at index: Int) throws {
    guard let server = servers[index], server.list == list else { return }
    let author = "\(list.profile) at \(index)"
    do throws(TodoError) {
      try edit(todo, author, on: server)
    } catch {
      try record(error, of: author)
    }
  }

  /// Records the error that a user got instead of the requested change.
  func record(_ error: TodoError, of author: String) throws(Violation) {
    // It is unknown whether the server will perform the change.
    if error.kind == .busy { ledger.excuse(atRisk, "not answered") }
    // Another change came first.
    guard [.conflict, .notFound, .nothingToUndo, .busy].contains(error.kind) else {
      throw Violation("\(author) got an error: \(error)")
    }
    record("\(author): \(error.kind)")
  }

  private func edit(
    _ todo: Todo, _ author: String, on server: LoopServer
  ) throws(TodoError) {
    var edit = TodoEdit(isDone: !todo.content.isDone)
    let home = server.list.home
    switch random.below(4) {
    case 0: break
    case 1: edit = try TodoEdit(title: ledger.newTitle(in: home))
    case 2: edit = try TodoEdit(note: noteWithOneMore(todo.content.note, in: home))
    default:
      edit = try TodoEdit(
        title: ledger.newTitle(in: home), note: noteWithOneMore(todo.content.note, in: home))
    }
    addFields(to: &edit, of: todo, in: home)
    edit.expectedVersion = todo.version
    atRisk = Ledger.words(todo.content)
    let after = try server.edit(todo.id, edit)
    if let labels = edit.changes[LabelField.self] {
      for label in todo.content.labels.subtracting(labels).texts {
        ledger.remove(label, from: todo.id)
      }
    }
    record(
      "\(author) edits \(todo.id) v\(after.version): \(todo.content.brief) -> \(after.content.brief)"
    )
    let words = Ledger.words(after.content)
    ledger.replace(
      Ledger.words(todo.content).subtracting(words), by: author, in: server.list)
    ledger.acknowledge(words.subtracting(Ledger.words(todo.content)), by: author)
  }

  /// Returns a new todo, often with a due date and labels.
  func newDraft(title: String, note: String, in home: String) throws(TodoError) -> NewTodo {
    var content = TodoContent(title: title, note: note)
    if extra.happens(percent: 30) { content.due = newDue() }
    if extra.happens(percent: 30) { content.priority = extra.pick(Priority.allCases) }
    while extra.happens(percent: 40) { content.labels.insert(ledger.newLabel(in: home)) }
    return try NewTodo(content)
  }

  /// Often adds changes of the due date, the priority and the labels to an edit.
  func addFields(to edit: inout TodoEdit, of todo: Todo, in home: String) {
    if extra.happens(percent: 20) { edit.changes[DueField.self] = .some(newDue()) }
    if extra.happens(percent: 20) {
      edit.changes[PriorityField.self] = .some(extra.pick(Priority.allCases + [nil]) ?? nil)
    }
    guard extra.happens(percent: 50) else { return }
    var labels = todo.content.labels
    if extra.flag(), let label = extra.pick(labels.texts) { labels.remove(label) }
    if extra.flag() { labels.insert(ledger.newLabel(in: home)) }
    edit.changes[LabelField.self] = labels
  }

  /// Allows labels of a removed todo to return. Unsent edits of a removed todo are never sent, so
  /// its issue keeps labels that the user has removed.
  ///
  /// If the issue of the todo is known, only the labels of the issue may return. Otherwise, all
  /// removed labels of the todo may return: until the request that creates the issue has a
  /// response, the todo has no issue number, and the issue may not exist.
  func allowReturnOfLabels(of todo: Todo, in list: TodoListKey) {
    if let issue = issue(of: todo, in: list) {
      ledger.allowReturn(of: Set(issue.labels.texts))
    } else {
      ledger.allowReturn(ofLabelsOf: todo.id)
    }
  }

  private func issue(of todo: Todo, in list: TodoListKey) -> GitHubModelIssue? {
    guard let index = repositories.indices.first(where: { home(of: $0) == list.home }) else {
      return nil
    }
    return todo.origin?.number.flatMap { repositories[index].issues[$0] }
  }

  private func newDue() -> DueDate? {
    CivilDay(number: Int64(extra.below(40_000))).flatMap { day in
      DueDate(day: day, minutes: extra.flag() ? nil : extra.below(DueDate.minutesOfDay))
    }
  }

  func noteWithOneMore(_ note: String, in home: String) -> String {
    let line = ledger.newLine(in: home)
    return note.isEmpty ? line : "\(note)\n\(line)"
  }

  private func travel(
    _ author: String, _ server: LoopServer
  ) throws(TodoError) {
    let before = try todosOfLists(at: server)
    atRisk = Ledger.words(before.map(\.todo))
    do throws(TodoError) {
      if random.flag() { try server.undo() } else { try server.redo() }
    } catch {
      if error.kind == .busy { ledger.allowReturnOfAll() }
      throw error
    }
    let (gone, new) = wordsChanged(from: before, to: try todosOfLists(at: server))
    record("\(author) undoes or redoes: -\(gone.sorted()) +\(new.sorted())")
    ledger.excuse(gone, "undone here")
    ledger.allowReturn(of: new)
  }

  /// Returns the words that todos have lost, and the words that they have gained. Each todo is
  /// compared only with its own earlier state, because another list may have a todo of the same
  /// issue, with the same words.
  private func wordsChanged(
    from before: [(todo: Todo, list: TodoListKey)], to after: [(todo: Todo, list: TodoListKey)]
  ) -> (gone: Set<String>, new: Set<String>) {
    var old: [TodoListKey: [TodoID: Set<String>]] = [:]
    for (todo, list) in before { old[list, default: [:]][todo.id] = Ledger.words(todo.content) }
    // If a todo had left its list, the text before the undo is only at its source.
    for (todo, list) in after where old[list]?[todo.id] == nil {
      guard let issue = issue(of: todo, in: list) else { continue }
      old[list, default: [:]][todo.id] = Ledger.words(title: issue.title, note: issue.note)
        .union(issue.labels.texts)
    }
    var (gone, new): (Set<String>, Set<String>) = ([], [])
    for (todo, list) in after {
      let (was, words) = (
        old[list]?.removeValue(forKey: todo.id) ?? [], Ledger.words(todo.content)
      )
      gone.formUnion(was.subtracting(words))
      new.formUnion(words.subtracting(was))
    }
    for words in old.values.flatMap(\.values) { gone.formUnion(words) }
    return (gone, new)
  }

  /// Returns the todos of all lists of the user.
  private func todosOfLists(
    at server: LoopServer
  ) throws(TodoError) -> [(todo: Todo, list: TodoListKey)] {
    var todos: [(todo: Todo, list: TodoListKey)] = []
    for list in scenario.lists(of: server.list.profile) {
      for todo in try server.storedTodos(in: list) { todos.append((todo, list)) }
    }
    return todos
  }

  // MARK: Conflicts

  private func decideLater(_ index: Int, _ server: LoopServer) throws(TodoError) {
    guard var conflict = random.pick(try server.conflicts()) else { return }
    conflict.theirAuthor = ledger.author(of: conflict.theirs.title)
    plan(.decision(index, conflict, server.list), after: 0...30_000)
  }

  func decide(_ conflict: SeenConflict, in list: TodoListKey, at index: Int) throws {
    guard let server = servers[index], server.list == list else { return }
    try checkTitles(of: conflict, in: list)
    let author = "\(list.profile) at \(index)"
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
            title: conflict.mine.title == conflict.theirs.title
              ? nil : ledger.newTitle(in: list.home),
            note: lines.joined(separator: "\n")))
      }
      let todo = try server.resolve(conflict.id, version: conflict.version, to: resolution)
      record(
        "decides \(conflict.id) v\(conflict.version) \(conflict.mine.brief) | \(conflict.theirs.brief) -> \(todo.content.brief)"
      )
      let words = Ledger.words(todo.content)
      ledger.excuse(conflict.words.subtracting(words), "decided here")
      ledger.acknowledge(words.subtracting(conflict.words), by: author)
    } catch {
      try record(error, of: author)
    }
  }
}

extension TodoContent {
  /// The description of the content in the log of a run.
  var brief: String {
    "\(title)\(isDone ? " x " : " ")\(note.split(separator: "\n").joined(separator: ","))"
      + labels.texts.map { " #\($0)" }.joined()
  }
}
