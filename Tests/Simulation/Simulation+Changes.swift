import JSONRPC
import TestSupport
import TodoModel
import TodoRemotes

/// The rules for a change of an issue.
extension Simulation {
  /// Checks a change of an issue. Throws a `Violation` if the change sends a value that the process
  /// has read and not changed, or if it removes the marker.
  ///
  /// - Parameter read: The issue as the process has read it.
  func check(
    _ call: NetworkCall, _ read: GitHubModelIssue, before: GitHubModelIssue,
    after: GitHubModelIssue
  ) throws {
    let members = call.members
    let same = [
      ("title", members["title"]?.stringValue == read.title),
      ("body", members["body"] != nil && members["body"]?.stringValue ?? "" == read.body ?? ""),
      ("state", members["state"]?.stringValue == (read.isClosed ? "closed" : "open")),
      ("labels", members["labels"] != nil),
    ].filter(\.1).map(\.0)
    if !same.isEmpty {
      throw Violation("A change of issue \(before.number) has the unchanged \(same).")
    }
    if let marker = before.marker, marker == read.marker, after.marker != marker {
      throw Violation("A change of issue \(before.number) has removed its marker.")
    }
  }

  /// Checks a change of labels. Throws a `Violation` if the request changes more than one label.
  func checkLabel(
    of call: NetworkCall, before: GitHubModelIssue, after: GitHubModelIssue
  ) throws {
    let removed = before.labels.subtracting(after.labels)
    let added = after.labels.subtracting(before.labels)
    let sent = call.members["labels"]?.arrayValue?.count ?? 1
    guard removed.count + added.count <= 1, sent == 1 else {
      throw Violation("A request has changed several labels of issue \(before.number).")
    }
    // A user or an undo has removed the label.
    if let label = removed.texts.first { ledger.excuse([label], "removed here") }
  }

  /// Throws a `Violation` if another server has changed the issue between this server's read and
  /// its change. Only one server may send changes at a time.
  func checkLease(
    _ call: NetworkCall, _ key: IssueKey, _ read: GitHubModelIssue, before: GitHubModelIssue
  ) throws {
    guard read != before, let last = network.ownChanges[key], last.issue == before,
      last.process != call.process,
      servers.contains(where: { $0?.number == call.process }),
      servers.contains(where: { $0?.number == last.process })
    else { return }
    throw Violation(
      "p\(last.process) and p\(call.process) change issue \(key.number) at the same time.")
  }

  /// Throws a `Violation` if a change of another server is in flight when this change is sent.
  func checkLease(_ call: NetworkCall) throws {
    let others = network.inFlight.values.filter { other in
      other.isWrite && other.process != call.process && machine.waits.isWaiting(other.id)
    }
    guard let other = others.map(\.process).min() else { return }
    throw Violation("p\(other) and p\(call.process) send changes at the same time.")
  }

  /// Throws a `Violation` if a user has a conflict with their own earlier title.
  ///
  /// This is checked only in a scenario without views (filters, or the list of assigned issues). In
  /// such a scenario, a user has only one todo for an issue. When the title of this todo is sent,
  /// the title becomes the base, and must not conflict with a later title of the same user.
  func checkTitles(of conflict: SeenConflict, in list: TodoListKey) throws(Violation) {
    let (mine, theirs) = (conflict.mine.title, conflict.theirs.title)
    guard !scenario.hasViews, mine != theirs, ![mine, theirs].contains(conflict.base.title),
      let author = conflict.theirAuthor, author.hasPrefix("\(list.profile) ")
    else { return }
    throw Violation("\(conflict.id): \(mine) conflicts with \(theirs) of \(author).")
  }

  /// Throws a `Violation` if a request would close the issue of a removed todo as completed.
  func checkClosing(_ call: NetworkCall) throws {
    guard let number = call.issueNumber, call.isWrite,
      call.members["state_reason"]?.stringValue == "completed", let server = servers.first ?? nil
    else { return }
    let lists = (scenario.users + [Self.undoingUser]).flatMap(scenario.lists)
      .filter { $0.home == home(of: repository(of: call)) }
    for list in lists {
      let todos = try server.storedTodos(in: list)
      if todos.contains(where: { $0.origin?.number == number }) { return }
    }
    throw Violation("Issue \(number) of a removed todo is closed as completed.")
  }
}

extension NetworkCall {
  /// The members of the body.
  var members: JSONObject {
    (try? JSON(parsing: request.body ?? []))?.objectValue ?? JSONObject()
  }
}
