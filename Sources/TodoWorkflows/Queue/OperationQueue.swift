import ScreenModel
import TodoModel

/// The operations of a list that have not ended. They run one after the other, in the order of
/// arrival, so that each sees the effects of those before it. Slow reads run beside them. Loads and
/// syncs leave the queue as soon as all earlier operations have ended.
struct OperationQueue: Equatable {
  /// The operations, oldest first; the first one is running.
  private(set) var entries: [QueuedOperation] = []
  private(set) var slowReads: [BackgroundRead] = []
  /// Loads and syncs that wait for the operations queued before them.
  private(set) var loads: [QueuedLoad] = []
  private var count = 0

  var isEmpty: Bool { entries.isEmpty }

  /// The tokens of all operations whose clients wait.
  var tokens: [OperationToken] {
    entries.compactMap(\.token) + loads.compactMap(\.token) + slowReads.map(\.token)
  }

  var isReadingRows: Bool { entries.contains(where: \.isReadingRows) }

  var isSaving: Bool {
    entries.contains { $0.origin == .editScreen || $0.origin == .conflictScreen }
  }

  func contains(_ operation: ListOperation) -> Bool {
    entries.contains { $0.operation == operation }
  }

  mutating func add(
    _ operation: ListOperation, from origin: QueuedOperation.Origin, stays: Bool = false,
    ending drafts: [Int64] = [], token: OperationToken?
  ) {
    count += 1
    entries.append(
      QueuedOperation(
        number: count, operation: operation, origin: origin, stays: stays, drafts: drafts,
        token: token))
  }

  mutating func add(_ request: LoadRequest, token: OperationToken?) {
    count += 1
    loads.append(QueuedLoad(number: count, request: request, token: token))
  }

  /// Removes the loads and syncs for which all earlier operations have ended.
  ///
  /// - Returns: The removed loads, in order.
  mutating func popDueLoads() -> [QueuedLoad] {
    let first = entries.first?.number ?? .max
    let due = Array(loads.prefix { $0.number < first })
    loads.removeFirst(due.count)
    return due
  }

  /// Removes an operation that has ended, and returns its current entry: a cancellation may have
  /// removed the token. Returns `nil` if the operation is not the first one.
  mutating func end(_ entry: QueuedOperation) -> QueuedOperation? {
    entries.first?.number == entry.number ? entries.removeFirst() : nil
  }

  /// Adds a slow read, which continues for its client while other operations run.
  mutating func read(_ query: TodoQuery, _ reader: any TodoReader, for entry: QueuedOperation) {
    guard let token = entry.token else { return }
    slowReads.append(
      BackgroundRead(number: entry.number, query: query, reader: reader, token: token))
  }

  /// Removes a slow read that has ended.
  ///
  /// - Returns: `false` if its client no longer waits.
  mutating func end(_ read: BackgroundRead) -> Bool {
    guard let index = slowReads.firstIndex(of: read) else { return false }
    slowReads.remove(at: index)
    return true
  }

  /// Cancels an operation. If it is running, it completes without a response; otherwise it is
  /// removed.
  mutating func cancel(_ token: OperationToken) {
    slowReads.removeAll { $0.token == token }
    loads.removeAll { $0.token == token }
    guard let index = entries.firstIndex(where: { $0.token == token }) else { return }
    if index == 0 { entries[0].token = nil } else { entries.remove(at: index) }
  }
}

/// An operation in the queue.
struct QueuedOperation: Sendable, Equatable {
  enum Origin: Sendable, Equatable {
    case request, list, editScreen, conflictScreen, removedScreen
    /// A read after a change by another process.
    case refresh
  }

  var number: Int
  var operation: ListOperation
  /// The origin of the operation, which determines the screen that shows a failure.
  var origin: Origin
  /// Whether the form that the operation came from stays open.
  var stays = false
  /// The numbers of the drafts whose text the operation stores.
  var drafts: [Int64] = []
  /// The token of the request that waits for the end; `nil` if none waits.
  var token: OperationToken?
}

extension QueuedOperation {
  var isReadingRows: Bool { if case .rows = operation { true } else { false } }

  /// Returns the end of the operation for its client. The effect of a screen's action is visible on
  /// the screens, so the client only learns whether the action failed or needs a decision, and the
  /// base of text that was typed during a save.
  func end(_ outcome: TodoOutcome, saved: EditBase? = nil) -> [OperationEnd] {
    guard let token else { return [] }
    switch origin {
    case .request: return [OperationEnd(token, outcome)]
    case .list, .editScreen, .conflictScreen, .removedScreen, .refresh:
      switch outcome {
      case .failed, .needsDecision: return [OperationEnd(token, outcome)]
      default: return [OperationEnd(token, saved.map { .saved($0) } ?? .shown)]
      }
    }
  }
}
