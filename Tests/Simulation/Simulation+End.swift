import TestSupport
import TodoModel

/// The end: the weather clears, people decide what is open, and all must agree.
extension Simulation {
  /// Enough for the longest pause after a limit.
  private static let roundsMax = 60
  private static let quietMilliseconds: Int64 = 45_000

  func end() throws {
    isEnding = true
    record("the end begins")
    github.hasIssues = true
    github.limits = GitHubLimits()
    for (number, issue) in github.issues.sorted(by: { $0.key < $1.key }) where issue.isLocked {
      github.edit(number, at: now) { $0.isLocked = false }
    }
    agenda.dropPeople()
    for index in servers.indices { try start(index) }
    var round = 0
    repeat {
      round += 1
      try quiet()
      try decideAll()
      for server in servers { server?.sync() }
      try quiet()
    } while round < Self.roundsMax && (try? checkAgreement()) == nil
    try checkAgreement()
    try checkNothingLost()
  }

  /// Lets a while pass.
  private func quiet() throws {
    try settle()
    let end = Timestamp(milliseconds: now.milliseconds + Self.quietMilliseconds)
    while let instant = agenda.nextInstant, instant <= end, let next = agenda.next() {
      try take(next)
    }
    machine.clock.now = end
  }

  private func decideAll() throws {
    guard let server = servers.first ?? nil else { return }
    for conflict in try server.conflicts() { try decide(conflict, at: 0) }
    try settle()
  }

  private func checkAgreement() throws {
    guard let server = servers.first ?? nil else { return }
    let todos = try server.todos()
    for todo in todos {
      guard let number = todo.origin?.number else {
        throw Violation("\(todo.id) (\(todo.content.title)) was never sent: \(todo.sync)")
      }
      if goneNumbers.contains(number) { continue }
      guard todo.sync == .synced else {
        let why = todo.failure?.message ?? ""
        throw Violation("\(todo.id) (issue \(number)) is \(todo.sync) in the end: \(why)")
      }
      guard let issue = github.issues[number] else {
        throw Violation("\(todo.id) says that it is issue \(number), which there is not.")
      }
      let content = TodoContent(title: issue.title, note: issue.note, isDone: issue.isClosed)
      guard todo.content == content else {
        throw Violation("\(todo.id) is \(todo.content), and issue \(number) is \(content).")
      }
    }
    let shown = Set(todos.compactMap { $0.origin?.number })
    for issue in github.issues.values.sorted(by: { $0.number < $1.number })
    where issue.isListed && !issue.isClosed && !issue.isPullRequest {
      guard shown.contains(issue.number) else {
        throw Violation("Issue \(issue.number) (\(issue.title)) is not on the list.")
      }
    }
    for other in servers.dropFirst() {
      guard let theirs = try other?.todos(), theirs == todos else {
        throw Violation("Two servers show different lists.")
      }
    }
  }

  private func checkNothingLost() throws {
    guard let server = servers.first ?? nil else { return }
    var words: Set<String> = []
    for issue in github.issues.values {
      words.formUnion(Ledger.words(title: issue.title, note: issue.note))
    }
    for todo in try server.todos() { words.formUnion(Ledger.words(todo.content)) }
    for entry in ledger.entries where entry.excuse == nil && !words.contains(entry.word) {
      throw Violation("\(entry.word) of \(entry.author) is lost.")
    }
  }
}

extension Agenda<Simulation.Event> {
  /// Nobody does anything any more; what is under way goes on.
  mutating func dropPeople() {
    var kept = Agenda()
    while let (at, event) = next() {
      switch event {
      case .person, .other, .edit, .decision, .kill: break
      case .start, .requestArrives, .answerArrives, .sleepEnds, .healed: kept.plan(event, at: at)
      }
    }
    self = kept
  }
}
