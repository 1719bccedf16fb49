import TodoModel

/// The actions of users and other clients, and the checks at the end.
extension SourceSimulation {
  // MARK: Others

  func addThere(in index: Int) {
    let home = sources[index].list.home
    let content = TodoContent(title: ledger.newTitle(in: home), note: ledger.newLine(in: home))
    record("there: adds \(sources[index].model.add(content, at: now)) \(content.brief)")
    ledger.acknowledge(Ledger.words(content), by: "there")
  }

  func letOtherAct() {
    let index = sources.count > 1 ? random.below(sources.count) : 0
    let keys = sources[index].model.items.keys.sorted()
    guard let key = random.pick(keys), !random.happens(percent: 20) else {
      return addThere(in: index)
    }
    letOtherAct(on: key, in: index)
  }

  func letOtherAct(on key: String, in index: Int) {
    guard let before = sources[index].model.items[key]?.content else { return }
    let home = sources[index].list.home
    let (title, line) = (ledger.newTitle(in: home), ledger.newLine(in: home))
    switch random.below(6) {
    case 0: sources[index].model.edit(key) { $0.title = title }
    case 1: sources[index].model.edit(key) { $0.note += "\n\(line)" }
    case 2: sources[index].model.edit(key) { $0.isDone.toggle() }
    case 3: sources[index].model.delete(key)
    case 4 where random.happens(percent: 30): sources[index].model.forgetTokens()
    default: sources[index].model.comment(on: key)
    }
    let after = sources[index].model.items[key]?.content
    record("there: \(key) \(before.brief) -> \(after?.brief ?? "deleted")")
    let (old, new) = (Ledger.words(before), after.map { Ledger.words($0) } ?? [])
    ledger.excuse(old.subtracting(new), "edited there")
    ledger.acknowledge(new.subtracting(old), by: "there")
  }

  // MARK: Users

  func letPersonAct(at index: Int) throws {
    guard let server = servers[index] else { return }
    var atRisk: Set<String> = []
    do throws(TodoError) {
      if sources.count > 1, random.happens(percent: 20), let list = random.pick(lists) {
        record("server \(index) shows \(list.source)")
        try server.show(list)
      }
      let home = server.list.home
      let todos = try server.todos()
      atRisk = Ledger.words(todos)
      switch random.below(12) {
      case 0, 1:
        let draft = try NewTodo(
          title: ledger.newTitle(in: home), note: random.flag() ? ledger.newLine(in: home) : "")
        let todo = try server.add(draft)
        record("adds \(todo.id) \(todo.content.brief)")
        ledger.acknowledge(Ledger.words(todo.content).subtracting([""]), by: "ann")
      case 2: server.sync()
      case 3:
        guard let todo = random.pick(todos) else { return }
        try server.remove(todo.id, expectedVersion: todo.version)
        record("removes \(todo.id) \(todo.content.brief)")
        ledger.excuse(Ledger.words(todo.content), "removed here")
      case 4:
        // The undone change may be in another list.
        let before = try storedWords(at: server)
        atRisk = before.values.reduce(into: []) { $0.formUnion($1) }
        if random.flag() { try server.undo() } else { try server.redo() }
        let after = try storedWords(at: server)
        // A load may have added the item of a new todo as another todo, which still has the words.
        // A todo that the source has closed is not in `before`, but the undo shows it again.
        let shown = before.merging(lastWords.filter { after[$0.key] != nil }) { now, _ in now }
        let gone = shown.reduce(into: Set()) { gone, todo in
          gone.formUnion(todo.value.subtracting(after[todo.key] ?? []))
        }
        record("undoes or redoes: -\(gone.sorted())")
        ledger.excuse(gone, "undone here")
      case 5:
        guard let conflict = random.pick(try server.conflicts()) else { return }
        atRisk.formUnion(conflict.words)
        try decide(conflict, on: server)
      default: try edit(random.pick(todos), on: server)
      }
    } catch {
      if error.kind == .busy { ledger.excuse(atRisk, "not answered") }
      guard [.conflict, .notFound, .nothingToUndo, .busy].contains(error.kind) else {
        throw Violation("The user's request failed: \(error)")
      }
    }
  }

  /// Returns the words of each todo.
  private func storedWords(at server: LoopServer) throws(TodoError) -> [TodoID: Set<String>] {
    var words: [TodoID: Set<String>] = [:]
    for list in lists {
      for todo in try server.storedTodos(in: list) { words[todo.id] = Ledger.words(todo.content) }
    }
    return words
  }

  private func edit(_ todo: Todo?, on server: LoopServer) throws(TodoError) {
    guard let todo else { return }
    let home = server.list.home
    let isCalendar = server.list == SimulatedSource.Kind.calendar.list
    var edit = TodoEdit(isDone: !todo.content.isDone)
    switch random.below(isCalendar ? 4 : 3) {
    case 0: break
    case 1: edit = try TodoEdit(title: ledger.newTitle(in: home))
    case 3:
      let day = "2026-06-1\(random.below(9))"
      let due = DueDate(random.flag() ? day : "\(day)T08:15")
      edit = TodoEdit(unchecked: FieldChanges(TodoContent(due: due), fields: [.due]))
    default:
      let line = ledger.newLine(in: home)
      edit = try TodoEdit(note: todo.content.note.isEmpty ? line : "\(todo.content.note)\n\(line)")
    }
    edit.expectedVersion = todo.version
    let after = try server.edit(todo.id, edit)
    record("edits \(todo.id): \(todo.content.brief) -> \(after.content.brief)")
    let (old, new) = (Ledger.words(todo.content), Ledger.words(after.content))
    lastWords[todo.id] = new
    ledger.excuse(old.subtracting(new), "edited here")
    ledger.acknowledge(new.subtracting(old), by: "ann")
  }

  private func decide(_ conflict: SeenConflict, on server: LoopServer) throws(TodoError) {
    let todo = try server.resolve(
      conflict.id, version: conflict.version, to: .keep(random.flag() ? .mine : .theirs))
    record("decides \(conflict.id) -> \(todo.content.brief)")
    ledger.excuse(conflict.words.subtracting(Ledger.words(todo.content)), "decided here")
  }

  // MARK: The end

  /// The maximum number of rounds, enough for every pause after a failure.
  private static let roundsMax = 60

  func end() throws {
    isEnding = true
    record("the end begins")
    var left = EventQueue<Event>()
    while let (at, event) = agenda.next() {
      switch event {
      case .person, .other, .kill: break
      case .start, .requestArrives, .answerArrives, .sleepEnds: left.plan(event, at: at)
      }
    }
    agenda = left
    for index in servers.indices where servers[index]?.isLimited == true { kill(index) }
    for index in servers.indices { try start(index) }
    var roundCount = 1
    while try !agree(), roundCount < Self.roundsMax { roundCount += 1 }
    try checkAgreement()
    var words: Set<String> = []
    for list in lists { words.formUnion(Ledger.words(try servers[0]?.storedTodos(in: list) ?? [])) }
    for source in sources {
      let own = source.model.items.values.reduce(into: Set()) {
        $0.formUnion(Ledger.words($1.content))
      }
      try ledger.checkHomes(of: own, in: source.list.home)
      words.formUnion(own)
    }
    for entry in ledger.entries where entry.excuse == nil && !words.contains(entry.word) {
      throw Violation("\(entry.word) of \(entry.author) is lost.")
    }
  }

  /// Resolves all conflicts and syncs all lists.
  ///
  /// - Returns: Whether all sides are equal afterwards.
  private func agree() throws -> Bool {
    try quiet()
    for list in lists {
      for server in servers { try server?.show(list) }
      guard let server = servers[0] else { return false }
      for conflict in (try? server.conflicts()) ?? [] { try decide(conflict, on: server) }
      for server in servers { server?.sync() }
      try quiet()
    }
    return (try? checkAgreement()) != nil
  }

  private func checkAgreement() throws {
    for source in sources { try checkAgreement(of: source) }
  }

  private func quiet() throws {
    try settle()
    let end = Timestamp(milliseconds: now.milliseconds + 45_000)
    while let instant = agenda.nextInstant, instant <= end, let next = agenda.next() {
      try handle(next)
    }
    machine.clock.now = end
  }

  private func checkAgreement(of source: SimulatedSource) throws {
    let todos = try servers[0]?.storedTodos(in: source.list) ?? []
    try ledger.checkHomes(of: Ledger.words(todos), in: source.list.home)
    let items = source.model.items
    for todo in todos {
      // Todos that were edited locally and deleted at the source, and todos whose item cannot be
      // recognized.
      if todo.sync == .failed,
        todo.origin.map({ source.model.deletedKeys.contains($0.key) }) ?? true
      {
        continue
      }
      guard todo.sync == .synced, let key = todo.origin?.key,
        (todo.origin?.number == nil) == (source.kind != .gitHub)
      else {
        throw Violation("\(todo.id) \(todo.content.brief) is \(todo.sync) in the end.")
      }
      guard items[key]?.comments == todo.origin?.details?.comments ?? 0 else {
        throw Violation("\(todo.id) has another number of comments than \(key).")
      }
      guard items[key]?.content == todo.content else {
        throw Violation(
          "\(todo.id) is \(todo.content.brief), and \(key) is "
            + "\(items[key]?.content.brief ?? "deleted").")
      }
    }
    let shown = Set(todos.compactMap { $0.origin?.key })
    let missing = items.filter { source.isListed($0.value) && !shown.contains($0.key) }.keys
    if let key = missing.min() { throw Violation("\(key) is not on the list.") }
  }
}
