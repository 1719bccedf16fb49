import TodoModel

/// A user who edits a todo again while its last edit is being sent.
extension Simulation {
  private static let hesitationMillisecondsMax: Int64 = 300

  /// Plans another edit of a todo when a call begins to send the previous change of this todo. Only
  /// some calls cause such an edit.
  func planEditInFlight(of call: NetworkCall) {
    guard call.isWrite, !isEnding,
      concurrencyRandom.happens(percent: scenario.editsInFlightPercent),
      let number = call.issueNumber,
      let index = servers.firstIndex(where: { $0?.number == call.process })
    else { return }
    let key = IssueKey(repository: repository(of: call), number: number)
    guard let issue = issue(key) else { return }
    let hesitation = concurrencyRandom.within(0...Self.hesitationMillisecondsMax)
    agenda.plan(
      .editInFlight(index, key, formerTitle: issue.title),
      at: Timestamp(milliseconds: now.milliseconds + hesitation))
  }

  /// Changes the title of an issue's todo to a new one, or to the earlier title of the issue.
  func editInFlight(_ key: IssueKey, formerTitle: String, at index: Int) throws {
    guard let server = servers[index], server.list.home == home(of: key.repository) else { return }
    let author = "\(server.list.profile) at \(index)"
    do throws(TodoError) {
      guard let todo = try server.todos().first(where: { $0.origin?.number == key.number }) else {
        return
      }
      let title =
        concurrencyRandom.flag() ? formerTitle : ledger.newTitle(in: home(of: key.repository))
      guard title != todo.content.title else { return }
      var edit = try TodoEdit(title: title)
      edit.expectedVersion = todo.version
      atRisk = Ledger.words(todo.content)
      _ = try server.edit(todo.id, edit)
      record("\(author) edits \(todo.id) in flight: \(todo.content.title) -> \(title)")
      ledger.replace([todo.content.title], by: author, in: server.list)
      ledger.write(title, by: author, in: server.list)
    } catch {
      try record(error, of: author)
    }
  }
}
