import TodoModel

/// The marks that are reserved for the new lines of all open documents. A mark is a `^word` that
/// identifies the todo of a line.
///
/// A reservation changes the list's change token. Therefore, each process that shows the list reads
/// the list and the new marks again. Because all documents share this pool, opening another
/// document reserves no marks.
struct MarkPool: Sendable {
  /// The reserved marks that are not used yet.
  var marks: [ReservedMark] = []
  private var state = State.idle
  private var retry = StoreRetry()

  /// The number of marks that one request reserves (`reservedCount`), and the number of marks in
  /// the pool below which the request is sent (`reservedMin`). If a save has more new lines than
  /// the pool has marks, the remaining lines get their marks after the save.
  static let (reservedCount, reservedMin) = (64, 16)

  private enum State: Sendable { case idle, inFlight, failed }

  /// Whether the pool needs the timer: `timePassed` must be called when the timer fires.
  var awaitsTime: Bool { state == .failed }

  /// Returns the request to reserve marks; `nil` if one is in progress or none is needed.
  mutating func next() -> DocumentRequest? {
    guard state == .idle, marks.count < Self.reservedMin else { return nil }
    state = .inFlight
    return .reserveMarks(Self.reservedCount)
  }

  /// Adds to the pool the marks that the store has reserved.
  ///
  /// - Returns: The new marks, to be added to each document; empty if the store has failed.
  mutating func handle(_ result: Result<DocumentAnswer, TodoError>) -> [ReservedMark] {
    guard case .success(.reservedMarks(let new)) = result else {
      state = .failed
      return []
    }
    state = .idle
    marks += new
    return new
  }

  /// Handles the end of a timer interval: retries after an error of the store.
  mutating func timePassed() { if awaitsTime, retry.timePassed() { state = .idle } }
}
