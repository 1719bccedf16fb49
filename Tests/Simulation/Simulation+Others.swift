import TestSupport
import TodoModel

/// What others do at GitHub.
extension Simulation {
  func addIssueThere() {
    let title = ledger.newTitle()
    let line = random.flag() ? ledger.newLine() : nil
    let number = github.add(
      title: title, body: line, isPullRequest: random.happens(percent: 10), at: now)
    record("there: adds \(number) \(title) \(line ?? "")")
    ledger.acknowledge(Ledger.words(title: title, note: line ?? "").subtracting([""]), by: "there")
  }

  func letOtherAct() {
    let numbers = github.issues.values.filter(\.isListed).map(\.number).sorted()
    if random.happens(percent: weather.troublePercent) { return makeTrouble(numbers) }
    guard let number = random.pick(numbers), !random.happens(percent: 20) else {
      return addIssueThere()
    }
    guard let before = github.issues[number] else { return }
    let (title, body) = (ledger.newTitle(), noteWithOneMore(before.note))
    let kind = random.below(5)
    let time = github.ownTime(now)
    github.edit(number, at: now) { issue in
      switch kind {
      case 0: issue.title = title
      case 1: issue.setNote(body)
      case 2: issue.close(at: time)
      case 3: if issue.isClosed { issue.reopen() } else { issue.close(at: time) }
      // A comment, which changes nothing that is ours.
      default: break
      }
    }
    guard let after = github.issues[number] else { return }
    record("there: edits \(number): \(before.brief) -> \(after.brief)")
    let (old, new) = (
      Ledger.words(title: before.title, note: before.note),
      Ledger.words(title: after.title, note: after.note)
    )
    ledger.excuse(old.subtracting(new), "edited there")
    ledger.acknowledge(new.subtracting(old), by: "there")
  }

  private func makeTrouble(_ numbers: [Int64]) {
    let milliseconds = random.within(5_000...300_000)
    let until = github.ownTime(Timestamp(milliseconds: now.milliseconds + milliseconds))
    switch random.below(6) {
    case 0, 1:
      let says = random.pick(GitHubLimits.Says.allCases) ?? .nothing
      let status = random.flag() ? 403 : 429
      record("there: a limit \(status) \(says)")
      github.limits.begin(GitHubLimits.Pause(status: status, until: until, says: says))
    case 2:
      record("there: no issues")
      github.hasIssues = false
      plan(.healed, after: 1_000...60_000)
    case 3:
      guard let number = random.pick(numbers) else { return }
      record("there: locks \(number)")
      github.edit(number, at: now) { $0.isLocked.toggle() }
    default:
      // What somebody takes away while pages come moves the others, and nobody is told.
      guard let number = random.pick(numbers), random.flag(), weather.pageSize == 100 else {
        return
      }
      record("there: takes away \(number)")
      goneNumbers.insert(number)
      let isDeleted = random.flag()
      github.edit(number, at: now) { $0.whereabouts = isDeleted ? .deleted : .transferred(77) }
    }
  }
}

extension GitHubModelIssue {
  var brief: String { TodoContent(title: title, note: note, isDone: isClosed).brief }
}
