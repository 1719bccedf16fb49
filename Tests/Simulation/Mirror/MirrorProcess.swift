import TodoDocument
import TodoMirrorFile
import TodoModel

/// A process of the mirror, from its start to its end.
final class MirrorProcess {
  /// The mirror; `nil` until it has started.
  var mirror: Mirror?
  /// Whether the mirror is known to have opened the file at the document's path.
  var hasOpenedDocument = false
  /// Whether the process counts as killed. Its code may still run, but all later requests of the
  /// process have no effect.
  var isKilled = false
  /// Whether the mirror waits after a failure, and ignores notifications.
  var isRetrying = false
  fileprivate(set) var pollNumber = 0
  fileprivate(set) var looksAt: Timestamp?
  /// The contents that the mirror has read last, and from which it prints the document.
  fileprivate var contents: DocumentContents?

  func hear() { mirror?.isListChanged = true }
}

/// The processes of the mirror: their starts, polls, failures and ends.
extension MirrorSimulation {
  /// The error of a store that fails.
  private static let failure = TodoError(.storage, "The simulated disk fails.")
  private static let killed = TodoError(.storage, "The mirror was killed.")
  /// The pause of the mirror after a failure.
  private static let troubleMilliseconds: Int64 = 1_000
  private static let epoch = ContinuousClock.now

  /// The current time, in the type that the mirror uses.
  private var instant: Mirror.Instant {
    Self.epoch + .milliseconds(now.milliseconds - SimulatedClock.start.milliseconds)
  }

  func start() throws {
    guard mirror == nil else { return }
    startCount += 1
    record("the mirror starts")
    for editor in editors { editor.buffer?.recordStart(in: &ledger) }
    let process = MirrorProcess()
    mirror = process
    do throws(TodoError) {
      process.mirror = try Mirror(
        path: folder.file, list: Self.list, at: instant,
        ask: { [unowned self] request throws(TodoError) in try answer(request, process) },
        report: { [unowned self] in report("the mirror says: \($0)") },
        today: { [clock] in clock.today })
      planPoll(after: 0...0)
    } catch {
      try bear(error, of: process)
      // The program then ends.
      stop(process)
    }
  }

  /// Runs one step of the mirror.
  func poll(_ number: Int) throws {
    guard let process = mirror, process.pollNumber == number, let mirror = process.mirror else {
      return
    }
    process.looksAt = nil
    let before = folder.inode
    do throws(TodoError) {
      try mirror.tick(at: instant)
      (process.hasOpenedDocument, process.isRetrying) = (!isFolderHidden, false)
      let pause = Int64(
        instant.duration(to: mirror.nextPoll(after: instant)) / .milliseconds(1))
      planPoll(after: pause...(pause + faults.lateMilliseconds))
    } catch {
      try bear(error, of: process)
      guard !process.isKilled else { return stop(process) }
      process.isRetrying = true
      planPoll(after: Self.troubleMilliseconds...Self.troubleMilliseconds)
    }
    if folder.inode != before {
      report(folder.read() ?? "")
      wakeMirror()
    }
  }

  /// Notifies the mirror of a change in the folder, as the system does.
  func wakeMirror() {
    guard let mirror, !faults.hasNoFileEvents, !mirror.isRetrying else { return }
    planPoll(after: 0...random.within(0...20))
  }

  private func planPoll(after milliseconds: ClosedRange<Int64>) {
    guard let mirror else { return }
    let at = now + random.within(milliseconds)
    if let looksAt = mirror.looksAt, looksAt <= at { return }
    mirror.looksAt = at
    mirror.pollNumber += 1
    agenda.plan(.poll(mirror.pollNumber), at: at)
  }

  // MARK: Failures

  private func answer(
    _ request: DocumentRequest, _ process: MirrorProcess
  ) throws(TodoError) -> DocumentAnswer {
    guard !process.isKilled else { throw Self.killed }
    askCount += 1
    interrupt()
    if !isEnding, random.happens(percent: faults.errorPercent) { throw Self.failure }
    let isLast = canKill && random.below(1_000) < faults.killsPerThousandAsks
    if isLast, random.flag() {
      process.isKilled = true
      throw Self.killed
    }
    let answer = try store.answer(request, in: Self.list)
    record("\(request.word) \(answer.word)")
    if case .contents(let contents) = answer { process.contents = contents }
    if isLast {
      process.isKilled = true
      if case .keep(let next) = request { leaveBehind(next, process) }
      throw Self.killed
    }
    interrupt()
    return answer
  }

  /// Sometimes leaves behind the file that the mirror was writing, or had just written, when it was
  /// killed.
  private func leaveBehind(_ next: NextGeneration, _ process: MirrorProcess) {
    guard let contents = process.contents, random.flag() else { return }
    let heading = DocumentHeading(list: Self.list, generation: next.number)
    var text = DocumentPrinter.print(heading, contents)
    let isWhole = random.flag()
    if !isWhole { text.removeLast(random.below(text.count)) }
    folder.leaveBehind(text, isWhole: isWhole)
  }

  /// Records an error of the mirror. Throws a `Violation` if the simulation did not cause the
  /// error.
  private func bear(_ error: TodoError, of process: MirrorProcess) throws {
    record(error.message == Self.killed.message ? "the mirror is killed" : "the store fails")
    guard [Self.failure, Self.killed].contains(error) else {
      throw Violation("The mirror fails: \(error.message)")
    }
  }

  // MARK: Ends

  /// Whether the mirror may be killed now. It may not be killed while only the mirror can read a
  /// replaced file, because no program could prevent the loss of that file's text. It is also not
  /// killed at the end of a run.
  var canKill: Bool { crossing == nil && !isEnding }

  func kill() {
    guard let mirror, canKill else { return }
    record("the mirror is killed")
    stop(mirror)
  }

  private func stop(_ process: MirrorProcess) {
    process.isKilled = true
    process.mirror = nil
    mirror = nil
    plan(.start, after: 0...(isEnding ? 0 : 20_000))
  }

  /// Shuts the mirror down cleanly.
  func terminate() throws {
    guard let process = mirror, crossing == nil, let mirror = process.mirror else { return }
    record("the mirror is ended")
    // At its end, the mirror waits only for a while until other processes have written a file that
    // it has open.
    process.hasOpenedDocument = false
    do throws(TodoError) {
      try mirror.end(
        clock: { [unowned self] in instant },
        pause: { [unowned self] time in
          let late = random.within(0...faults.lateMilliseconds)
          clock.now = now + Int64(time / .milliseconds(1)) + late
          interrupt()
        })
    } catch {
      try bear(error, of: process)
    }
    stop(process)
  }
}

extension DocumentRequest {
  /// The description of the request in the log of a run.
  fileprivate var word: String {
    switch self {
    case .open: "opens"
    case .close: "closes"
    case .unnumberedAdditions: "reads what was added without a generation"
    case .changeToken: "looks at the store"
    case .read: "reads"
    case .reserveMarks(let count): "reserves \(count) marks"
    case .generation(let number, _): "asks for \(number)"
    case .save(let save): "saves \(save.changes.count) changes of \(save.generation)"
    case .keep(let next): "keeps \(next.number)"
    case .append: "keeps the next one"
    case .lease: "has it open in an editor"
    case .release: "closes it in the editor"
    case .isLeased: "asks whether it is open in an editor"
    }
  }
}

extension DocumentAnswer {
  fileprivate var word: String {
    switch self {
    case .opened(let number): "\(number)"
    case .unnumberedAdditions(let entries): "\(entries.count) entries"
    case .contents(let contents): "\(contents.todos.count) todos, \(contents.texts.count) texts"
    case .generation(let known): known == nil ? "unknown" : "known"
    case .saved(let report):
      "+\(report.addedCount) ~\(report.editedCount) -\(report.removedCount) "
        + "!\(report.conflictCount) =\(report.knownCount) t\(report.textCount)"
    case .reservedMarks(let marks): marks.first?.mark.text ?? ""
    case .appended(let number): "\(number)"
    case .leased(let isLeased): isLeased ? "open" : ""
    case .changeToken, .done: ""
    }
  }
}
