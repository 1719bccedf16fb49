import ScreenModel
import TodoModel

/// What was asked of a list and has not ended. Operations run one after the other, in the order in
/// which they came, so that each sees what the ones before it did; what takes long to read is read
/// beside them, and loads and syncs leave the queue when their turn comes.
struct OperationQueue: Equatable {
  /// The oldest first; the first one is under way.
  private(set) var entries: [QueuedOperation] = []
  private(set) var slowReads: [BackgroundRead] = []
  /// Loads and syncs that wait for the operations queued before them.
  private(set) var loads: [QueuedLoad] = []
  private var count = 0

  var isEmpty: Bool { entries.isEmpty }

  /// Whoever waits for something here.
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

  /// Removes the loads before which no operation is left.
  ///
  /// - Returns: Those loads, in order.
  mutating func popDueLoads() -> [QueuedLoad] {
    let first = entries.first?.number ?? .max
    let due = Array(loads.prefix { $0.number < first })
    loads.removeFirst(due.count)
    return due
  }

  /// Takes out the operation that has ended, as it is now: nobody may wait for it any more. Nil: it
  /// is not there.
  mutating func end(_ entry: QueuedOperation) -> QueuedOperation? {
    entries.first?.number == entry.number ? entries.removeFirst() : nil
  }

  /// Reads on for whoever asked, while others are answered.
  mutating func read(_ query: TodoQuery, _ reader: any TodoReader, for entry: QueuedOperation) {
    guard let token = entry.token else { return }
    slowReads.append(
      BackgroundRead(number: entry.number, query: query, reader: reader, token: token))
  }

  /// False: nobody waits for it any more.
  mutating func end(_ read: BackgroundRead) -> Bool {
    guard let index = slowReads.firstIndex(of: read) else { return false }
    slowReads.remove(at: index)
    return true
  }

  /// What has begun is finished, but nobody is told; what has not begun is not done at all.
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
    /// Nobody asked: something was changed elsewhere.
    case refresh
  }

  var number: Int
  var operation: ListOperation
  /// Where a failure is shown.
  var origin: Origin
  /// Whether the form that it came from is to stay open.
  var stays = false
  /// The stored drafts whose text the operation stores.
  var drafts: [Int64] = []
  /// Who waits for the end.
  var token: OperationToken?
}

extension QueuedOperation {
  var isReadingRows: Bool { if case .rows = operation { true } else { false } }

  /// Returns the end of the operation for the client that waits. The screens show the effect of an
  /// action: its client only learns whether it failed or needs a decision.
  func end(_ outcome: TodoOutcome) -> [OperationEnd] {
    guard let token else { return [] }
    switch origin {
    case .request: return [OperationEnd(token, outcome)]
    case .list, .editScreen, .conflictScreen, .removedScreen, .refresh:
      if case .failed = outcome { return [OperationEnd(token, outcome)] }
      return [OperationEnd(token, outcome == .asked ? .asked : .shown)]
    }
  }
}
