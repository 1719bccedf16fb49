import TestSupport
import TodoModel

/// The actions of other users at GitHub.
extension Simulation {
  func addIssueThere(in repository: Int) {
    let home = home(of: repository)
    let title = ledger.newTitle(in: home)
    let line = random.flag() ? ledger.newLine(in: home) : nil
    let number = repositories[repository].add(
      title: title, body: line, isPullRequest: random.happens(percent: 10), at: now)
    record("there: adds \(number) \(title) \(line ?? "")")
    ledger.acknowledge(Ledger.words(title: title, note: line ?? "").subtracting([""]), by: "there")
    if scenario.hasViews { assign(number, in: repository) }
  }

  /// Assigns an issue to some users, or to none.
  private func assign(_ number: Int64, in repository: Int) {
    let names = [Scenario.assignee, repositories[repository].user].filter { _ in viewRandom.flag() }
    record("there: assigns \(number) to \(names)")
    repositories[repository].edit(number, at: now) { $0.assignees = names }
  }

  /// Returns the home of the texts in a repository's issues.
  func home(of repository: Int) -> String { "github:\(scenario.repositories[repository])" }

  func letOtherAct() { letOtherAct(in: extra.below(repositories.count)) }

  func letOtherAct(in repository: Int) {
    let github = repositories[repository]
    let numbers = github.issues.values.filter(\.isListed).map(\.number).sorted()
    let isTrouble = random.happens(percent: faults.troublePercent)
    if isTrouble, !isEnding { return makeTrouble(numbers, in: repository) }
    if scenario.hasViews, viewRandom.happens(percent: 20), let number = viewRandom.pick(numbers) {
      return assign(number, in: repository)
    }
    guard let number = random.pick(numbers), !random.happens(percent: 20) else {
      return addIssueThere(in: repository)
    }
    guard let before = github.issues[number] else { return }
    let home = home(of: repository)
    let (title, body) = (ledger.newTitle(in: home), noteWithOneMore(before.note, in: home))
    let kind = random.below(5)
    let time = github.ownTime(now)
    repositories[repository].edit(number, at: now) { issue in
      switch kind {
      case 0: issue.title = title
      case 1: issue.setNote(body)
      case 2: issue.close(at: time)
      case 3: if issue.isClosed { issue.reopen() } else { issue.close(at: time) }
      default: break
      }
    }
    if kind == 4 { changeOther(of: number, in: repository) }
    guard let after = repositories[repository].issues[number] else { return }
    record("there: edits \(number): \(before.brief) -> \(after.brief)")
    let (old, new) = (
      Ledger.words(title: before.title, note: before.note),
      Ledger.words(title: after.title, note: after.note)
    )
    ledger.excuse(old.subtracting(new), "edited there")
    ledger.acknowledge(new.subtracting(old), by: "there")
  }

  /// Sometimes changes a label or the details of an issue.
  private func changeOther(of number: Int64, in repository: Int) {
    if extra.flag() { return changeLabel(of: number, in: repository) }
    guard extra.flag() else { return }
    let old = repositories[repository].issues[number]?.details
    let due = CivilDay.sample.adding(days: extra.below(9) - 4).map { DueDate($0) }
    let milestone = extra.flag() ? "Milestone \(extra.below(3))" : nil
    let details = SourceDetails(
      assignees: ["ann", "bob"].filter { _ in extra.flag() }, milestone: milestone,
      comments: (old?.comments ?? 0) + extra.below(2), due: milestone.flatMap { _ in due })
    record("there: describes \(number)")
    repositories[repository].edit(number, at: now) { $0.details = details }
  }

  private func changeLabel(of number: Int64, in repository: Int) {
    guard let labels = repositories[repository].issues[number]?.labels else { return }
    if extra.flag(), let label = extra.pick(labels.texts) {
      record("there: removes the label \(label) of \(number)")
      repositories[repository].edit(number, at: now) { $0.labels.remove(label) }
      ledger.excuse([label], "removed there")
    } else {
      let label = ledger.newLabel(in: home(of: repository))
      record("there: adds the label \(label) to \(number)")
      repositories[repository].edit(number, at: now) { $0.labels.insert(label) }
      ledger.acknowledge([label], by: "there")
    }
  }

  private func makeTrouble(_ numbers: [Int64], in repository: Int) {
    let milliseconds = random.within(5_000...300_000)
    let until = repositories[repository].ownTime(
      Timestamp(milliseconds: now.milliseconds + milliseconds))
    switch random.below(6) {
    case 0, 1:
      let says = random.pick(GitHubLimits.Says.allCases) ?? .nothing
      let status = random.flag() ? 403 : 429
      record("there: a limit \(status) \(says)")
      repositories[repository].limits.begin(
        GitHubLimits.Pause(status: status, until: until, says: says))
    case 2:
      switch extra.below(3) {
      case 0: repositories[repository].hasIssues = false
      case 1: repositories[repository].access = .none
      default: repositories[repository].access = .read
      }
      record("there: no issues, or \(repositories[repository].access) access")
      plan(.healed(repository: repository), after: 1_000...60_000)
    case 3:
      guard let number = random.pick(numbers) else { return }
      record("there: locks \(number)")
      repositories[repository].edit(number, at: now) { $0.isLocked.toggle() }
    default:
      // If issues are removed between the loads of two pages, the other issues move, and GitHub
      // does not report this.
      guard let number = random.pick(numbers), random.flag(), faults.pageSize == 100 else {
        return
      }
      record("there: takes away \(number)")
      goneIssues.insert(IssueKey(repository: repository, number: number))
      let isDeleted = random.flag()
      let target = Self.transferTarget(of: repository)
      repositories[repository].edit(number, at: now) {
        $0.whereabouts = isDeleted ? .deleted : .transferred(target)
      }
    }
  }
}

extension Simulation {
  /// Returns the number of the repository to which issues are transferred.
  static func transferTarget(of repository: Int) -> Int64 { 77 + Int64(repository) }
}

extension GitHubModelIssue {
  var brief: String {
    TodoContent(title: title, note: note, isDone: isClosed, labels: labels).brief
  }
}
