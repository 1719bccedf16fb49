import TodoModel

/// The end of a run: nothing fails any more, users stop editing, and no edit may be missing.
extension MirrorSimulation {
  /// A time that is longer than the mirror ever waits for a program that writes the file.
  private static let quietMillisecondsMax: Int64 = 10_000_000
  /// The time without a change after which the run has settled.
  private static let quietMilliseconds: Int64 = 2_000

  func end() throws {
    isEnding = true
    record("the end begins")
    restore()
    folder.unblock(faults.blocked)
    agenda.dropNewActions()
    try start()
    mirror?.hear()
    try letTimePass()
    guard let text = folder.read() else { throw Violation("There is no file in the end.") }
    let todos = try todos()
    try terminate()
    record(text)
    try check(text, after: folder.read() ?? "")
    try ledger.check(text, todos)
    try ExchangeCheck(store: store, environment: environment).run()
  }

  /// Runs until no events are left, or until the run has settled.
  private func letTimePass() throws {
    let begin = now
    var (inode, since) = (folder.inode, now)
    while now < begin + Self.quietMillisecondsMax, let next = agenda.next() {
      try handle(next)
      if folder.inode != inode || !isQuiet { (inode, since) = (folder.inode, now) }
      if now >= since + Self.quietMilliseconds { return }
    }
    throw Violation(
      "There is no quiet: \(editors.filter(\.isBusy).map(\.name)) busy, beside the file "
        + "\(folder.replacedFiles), \(unread == nil ? "" : "something is not read, ")"
        + (crossing == nil ? "" : "not there: \(crossing?.words?.sorted() ?? [])"))
  }

  private var isQuiet: Bool {
    unread == nil && crossing == nil && folder.replacedFiles.isEmpty
      && !editors.contains { $0.isBusy } && mirror?.mirror?.isUpToDate ?? false
  }

  private func check(_ text: String, after ended: String) throws {
    var (before, after) = (text.lines[...], ended.lines[...])
    _ = before.popFirst()
    guard let heading = after.popFirst(), heading.contains("(not running") else {
      throw Violation("The first line does not say that no mirror reads the file.")
    }
    guard before == after else {
      throw Violation("The last text differs from the one before in more than its first line.")
    }
    guard folder.replacedFiles.isEmpty else {
      throw Violation("Left beside the file: \(folder.replacedFiles)")
    }
  }
}

extension EventQueue<MirrorSimulation.Event> {
  /// Removes the events that start a new action. Events of actions in progress stay.
  fileprivate mutating func dropNewActions() {
    var kept = EventQueue()
    while let (at, event) = next() {
      switch event {
      case .edit, .cross, .otherClient, .endMirror, .hideFolder, .restore: break
      case .write, .rewriteFile, .changes, .poll, .start: kept.plan(event, at: at)
      }
    }
    self = kept
  }
}
