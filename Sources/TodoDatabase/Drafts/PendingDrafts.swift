import TodoModel

/// The records of this process that have not been written yet.
struct PendingDrafts {
  struct Work {
    /// For each file to be released, oldest first: the records to write before the release.
    var released: [[DraftRecord]] = []
    /// The newest record of each todo, for the file that follows the released files.
    var records: [DraftRecord] = []
    /// The stored drafts that were restored into the forms of these records. Each is discarded when
    /// the record of its todo has been written.
    var continued: [ContinuedDrafts] = []

    /// Divides `continued` into the drafts for whose todo a record was written, and all others,
    /// which wait for a later record of their todo.
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

  /// The numbers of the stored drafts of a todo that were restored into its form.
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
  /// - Parameter isNext: Whether the previous call was for the same form.
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

  /// Makes failed work pending again, except the records that newer records replace.
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

  /// Sets `isScheduled`, and returns it: whether the thread makes another pass without waiting for
  /// a signal. It does if records are pending. It also does if the log is closed, because the next
  /// pass ends the thread.
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
