import TodoModel

/// The records of this process that have not been written yet.
struct PendingDrafts {
  struct Work {
    /// The records of each draft file that will be released, oldest file first. They are written to
    /// the file before its release.
    var released: [[DraftRecord]] = []
    /// The newest record of each todo, for the draft file that is used after these releases.
    var records: [DraftRecord] = []
    /// The stored drafts whose text was restored into the forms of todos. The stored drafts of a
    /// todo are discarded when a record of this todo has been written.
    var continued: [ContinuedDrafts] = []

    /// Divides `continued` into the drafts of todos for which a record was written, and all other
    /// drafts. The other drafts wait for a later record of their todo.
    ///
    /// - Parameter unwritten: The records of this work that were not written.
    func continuedDrafts(
      unwritten: [DraftRecord]
    ) -> (written: [ContinuedDrafts], waiting: [ContinuedDrafts]) {
      var (written, waiting): ([ContinuedDrafts], [ContinuedDrafts]) = ([], [])
      for drafts in continued {
        let isSameTodo = { (record: DraftRecord) in record.base.isForSameTodo(as: drafts.base) }
        if released.joined().contains(where: isSameTodo) || records.contains(where: isSameTodo),
          !unwritten.contains(where: isSameTodo)
        {
          written.append(drafts)
        } else {
          waiting.append(drafts)
        }
      }
      return (written, waiting)
    }
  }

  /// The stored drafts of a todo that were restored into its form, given by their numbers.
  struct ContinuedDrafts {
    var base: EditBase
    var numbers: [Int64]
  }

  private var work = Work()
  /// The last recorded text, if it is not in `work` yet.
  private var newest: (text: UnsavedText, time: Timestamp)?
  private var warning: String?
  private var hasWarned = false
  var hasThread = false
  /// Whether the thread has already received a signal to write, so that new records need no further
  /// signal.
  var isScheduled = false
  var isClosed = false

  /// Adds the unsaved text of a form.
  ///
  /// - Parameter isNext: Whether this text replaces the previous text, because the previous change
  ///   of the log was a text of the same form.
  mutating func add(_ text: UnsavedText, at time: Timestamp, isNext: Bool) {
    if !isNext {
      addNewest()
      let numbers = text.restored.map(\.number)
      if !numbers.isEmpty { add([ContinuedDrafts(base: text.draft.base, numbers: numbers)]) }
    }
    newest = (text, time)
  }

  mutating func add(_ continued: [ContinuedDrafts]) { work.continued += continued }

  mutating func add(_ record: DraftRecord) {
    addNewest()
    Self.add(record, to: &work.records)
  }

  private mutating func addNewest() {
    guard let (text, time) = newest else { return }
    newest = nil
    Self.add(DraftRecord(text, at: time), to: &work.records)
  }

  mutating func release() {
    addNewest()
    work.released.append(work.records)
    work.records = []
  }

  /// Whether a file will be released.
  var isReleasing: Bool { !work.released.isEmpty }

  var isEmpty: Bool { newest == nil && work.records.isEmpty && !isReleasing }

  mutating func popWork() -> Work {
    addNewest()
    defer { work = Work() }
    return work
  }

  /// Makes failed work pending again, except the records of todos that have a newer pending record.
  mutating func restore(_ failed: Work) {
    let newer = popWork()
    work = failed
    for records in newer.released {
      for record in records { add(record) }
      release()
    }
    for record in newer.records { add(record) }
    work.continued += newer.continued
  }

  /// Returns whether the thread makes another pass without waiting for a signal, and sets
  /// `isScheduled` to this value. The value is `true` if records are pending. It is also `true` if
  /// the log is closed, because the next pass ends the thread.
  mutating func isScheduledAgain() -> Bool {
    isScheduled = !isEmpty || isClosed
    return isScheduled
  }

  /// Sets the warning, unless there was one before.
  mutating func warn(_ message: String) {
    if !hasWarned { warning = message }
    hasWarned = true
  }

  mutating func popWarning() -> String? {
    defer { warning = nil }
    return warning
  }

  private static func add(_ record: DraftRecord, to records: inout [DraftRecord]) {
    // Fast path: usually, the previous record is about the same todo.
    if let index = records.lastIndex(where: { $0.concernsSameTodo(as: record) }) {
      records[index] = record
    } else {
      records.append(record)
    }
  }
}
