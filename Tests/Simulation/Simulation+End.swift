import TestSupport
import TodoModel

/// The end of a run: faults stop, users resolve all conflicts, and all sides must agree.
extension Simulation {
  /// The maximum number of rounds, enough for the longest pause after a rate limit.
  private static let roundsMax = 60
  private static let quietMilliseconds: Int64 = 45_000

  func end() throws {
    for index in servers.indices where servers[index]?.isLimited == true { end(index) }
    isEnding = true
    record("the end begins")
    for index in repositories.indices {
      repositories[index].hasIssues = true
      repositories[index].access = .write
      repositories[index].limits = GitHubLimits()
      let issues = repositories[index].issues.sorted { $0.key < $1.key }
      for (number, issue) in issues where issue.isLocked {
        repositories[index].edit(number, at: now) { $0.isLocked = false }
      }
    }
    agenda.dropNewActions()
    for index in servers.indices { try start(index) }
    try agree(in: scenario.lists)
    if scenario.undoesAll {
      try undoAll()
      try agree(in: scenario.lists + scenario.lists(of: Self.undoingUser))
    }
    try checkNothingLost()
  }

  /// Resolves all conflicts and syncs all lists, until all sides are equal.
  private func agree(in lists: [TodoListKey]) throws {
    var round = 0
    repeat {
      round += 1
      try quiet()
      for list in lists {
        for server in servers { try server?.show(list) }
        try decideAll(in: list)
        for server in servers { server?.sync() }
        try quiet()
      }
    } while round < Self.roundsMax && (try? checkAgreement(in: lists)) == nil
    // A load of many pages can take longer than a round.
    for _ in 0..<Self.roundsMax where servers.contains(where: { $0?.pending.isEmpty == false }) {
      try quiet()
    }
    try checkAgreement(in: lists)
    for request in servers.flatMap({ $0?.pending ?? [] }) {
      throw Violation("\(request.brief) was never answered.")
    }
  }

  /// Runs the events of the next 45 seconds, without new actions.
  func quiet() throws {
    try settle()
    let end = Timestamp(milliseconds: now.milliseconds + Self.quietMilliseconds)
    while let instant = agenda.nextInstant, instant <= end, let next = agenda.next() {
      try handle(next)
    }
    machine.clock.now = end
  }

  private func decideAll(in list: TodoListKey) throws {
    guard let server = servers.first ?? nil else { return }
    for conflict in try server.conflicts() { try decide(conflict, in: list, at: 0) }
    try settle()
  }

  private func checkAgreement(in lists: [TodoListKey]) throws {
    for list in lists {
      for (index, server) in servers.enumerated() {
        guard let server else { return }
        try check(server.storedTodos(in: list), of: list, atServer: index)
        if !scenario.hasViews { break }
      }
    }
    for server in servers {
      guard let server else { continue }
      let (shown, stored) = (try server.todos(), try server.storedTodos(in: server.list))
      guard shown.map(\.id) == stored.map(\.id), shown.map(\.content) == stored.map(\.content),
        shown.map(\.version) == stored.map(\.version)
      else { throw Violation("p\(server.number) shows another list than the one that is stored.") }
    }
  }

  private func check(_ todos: [Todo], of list: TodoListKey, atServer server: Int) throws {
    try ledger.checkHomes(of: Ledger.words(todos), in: list.home)
    if list.isLocal {
      if let todo = todos.first(where: { $0.sync != .local }) {
        throw Violation("\(todo.id) of a local list is \(todo.sync).")
      }
    } else if let index = repositories.indices.first(where: { home(of: $0) == list.home }) {
      try check(
        todos, of: list, against: index, assignee: scenario.assignee(of: list, atServer: server))
    }
  }

  /// Checks the todos of a list against the issues of its repository.
  ///
  /// - Parameter assignee: The user to whom all issues of the list are assigned; `nil` if the list
  ///   contains all issues.
  private func check(
    _ todos: [Todo], of list: TodoListKey, against repository: Int, assignee: String?
  ) throws {
    let github = repositories[repository]
    for todo in todos {
      // An undo has restored a todo whose issue is gone, and this list does not accept a new issue.
      if !list.acceptsNew, todo.origin == nil, todo.sync == .failed { continue }
      guard let number = todo.origin?.number else {
        throw Violation("\(todo.id) (\(todo.content.title)) was never sent: \(todo.sync)")
      }
      if hasGoneIssue(todo, in: list) { continue }
      guard todo.sync == .synced else {
        let why = todo.failure?.message ?? ""
        throw Violation("\(todo.id) (issue \(number)) is \(todo.sync) in the end: \(why)")
      }
      guard let issue = github.issues[number] else {
        throw Violation("\(todo.id) says that it is issue \(number), which there is not.")
      }
      var content = TodoContent(
        title: issue.title, note: issue.note, isDone: issue.isClosed, labels: issue.labels)
      content.copy(ContentField.localOnly, from: todo.content)
      guard todo.content == content else {
        throw Violation("\(todo.id) is \(todo.content), and issue \(number) is \(content).")
      }
      if let assignee, !issue.isClosed, !issue.assignees.contains(assignee) {
        throw Violation("Issue \(number) is shown, and is not assigned to \(assignee).")
      }
      guard todo.origin?.details == issue.details else {
        throw Violation("\(todo.id) has other details than issue \(number).")
      }
    }
    let shown = Set(todos.compactMap { $0.origin?.number })
    for issue in github.issues.values.sorted(by: { $0.number < $1.number })
    where issue.isListed && !issue.isClosed && !issue.isPullRequest
      && assignee.map(issue.assignees.contains) ?? true
    {
      guard shown.contains(issue.number) else {
        throw Violation("Issue \(issue.number) (\(issue.title)) is not on the list.")
      }
    }
  }

  /// Whether the issue of a todo was deleted or transferred.
  private func hasGoneIssue(_ todo: Todo, in list: TodoListKey) -> Bool {
    guard let number = todo.origin?.number,
      let repository = repositories.indices.first(where: { home(of: $0) == list.home })
    else { return false }
    // The list of assigned issues follows an issue to its new number.
    let former = list.acceptsNew ? number : number % GitHubModel.transferredNumberOffset
    return goneIssues.contains(IssueKey(repository: repository, number: former))
  }

  private func checkNothingLost() throws {
    guard let server = servers.first ?? nil else { return }
    var words: Set<String> = []
    // The removal of a label may not have been sent before its issue was gone. The issue and the
    // todos of other users then keep the label.
    var labelsOfGone: Set<String> = []
    for index in repositories.indices {
      var ofIssues: Set<String> = []
      for issue in repositories[index].issues.values {
        let labels = Set(issue.labels.texts)
        ofIssues.formUnion(Ledger.words(title: issue.title, note: issue.note))
        if goneIssues.contains(IssueKey(repository: index, number: issue.number)) {
          try ledger.checkHomes(of: labels, in: home(of: index))
          labelsOfGone.formUnion(labels)
        } else {
          ofIssues.formUnion(labels)
        }
      }
      try ledger.checkHomes(of: ofIssues, in: home(of: index))
      words.formUnion(ofIssues)
    }
    let users = scenario.users + [Self.undoingUser]
    for list in users.flatMap(scenario.lists) {
      for todo in try server.storedTodos(in: list) {
        try ledger.checkRemoved(in: todo)
        let labels = Set(todo.content.labels.texts)
        words.formUnion(Ledger.words(title: todo.content.title, note: todo.content.note))
        if hasGoneIssue(todo, in: list) {
          labelsOfGone.formUnion(labels)
        } else {
          words.formUnion(labels)
        }
      }
    }
    try ledger.checkRemoved(in: words)
    words.formUnion(labelsOfGone)
    for entry in ledger.entries where entry.excuse == nil && !words.contains(entry.word) {
      throw Violation("\(entry.word) of \(entry.author) is lost.")
    }
  }
}

extension EventQueue<Simulation.Event> {
  /// Removes the events that start a new action. Events of actions in progress stay.
  mutating func dropNewActions() {
    var kept = EventQueue()
    while let (at, event) = next() {
      switch event {
      case .person, .other, .edit, .editInFlight, .decision, .kill: break
      case .start, .requestArrives, .answerArrives, .sleepEnds, .healed: kept.plan(event, at: at)
      }
    }
    self = kept
  }
}
