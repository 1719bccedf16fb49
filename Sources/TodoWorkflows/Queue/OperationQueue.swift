import ScreenModel
import TodoModel

/// The waiting and running operations of a list. Operations run one after the other in the order of
/// their arrival, so that each operation sees the effects of all earlier operations. Slow reads run
/// at the same time as other operations. A load or sync only waits in this queue: when all earlier
/// operations have ended, `LoadCoordinator` takes over the load or sync.
struct OperationQueue: Equatable {
  /// The operations, oldest first. The first one is running.
  private(set) var entries: [QueuedOperation] = []
  private(set) var slowReads: [BackgroundRead] = []
  /// The loads and syncs that wait until all earlier operations have ended.
  private(set) var loads: [QueuedLoad] = []
  private var count = 0

  var isEmpty: Bool { entries.isEmpty }

  /// The tokens of the operations for which a client waits.
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

  /// Removes the loads and syncs that can start, because all earlier operations have ended.
  ///
  /// - Returns: The removed loads and syncs in the order of their arrival.
  mutating func popDueLoads() -> [QueuedLoad] {
    let first = entries.first?.number ?? .max
    let due = Array(loads.prefix { $0.number < first })
    loads.removeFirst(due.count)
    return due
  }

  /// Removes an ended operation, if it is the first operation of the queue.
  ///
  /// - Returns: The removed operation, which has no token if it was cancelled. `nil` if `entry` is
  ///   not the first operation.
  mutating func end(_ entry: QueuedOperation) -> QueuedOperation? {
    entries.first?.number == entry.number ? entries.removeFirst() : nil
  }

  /// Adds a slow read for an operation, so that the next operation can run at the same time as the
  /// read.
  mutating func read(_ query: TodoQuery, _ reader: any TodoReader, for entry: QueuedOperation) {
    guard let token = entry.token else { return }
    slowReads.append(
      BackgroundRead(number: entry.number, query: query, reader: reader, token: token))
  }

  /// Removes a slow read, which has ended.
  ///
  /// - Returns: `false` if the read was cancelled.
  mutating func end(_ read: BackgroundRead) -> Bool {
    guard let index = slowReads.firstIndex(of: read) else { return false }
    slowReads.remove(at: index)
    return true
  }

  /// Cancels an operation. A waiting operation or a slow read is removed. Any other running
  /// operation only loses its token: it completes, but its outcome is not reported.
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
    /// An operation that the workflow starts itself, such as a read after another process has
    /// changed the store.
    case refresh
  }

  var number: Int
  var operation: ListOperation
  /// The origin of the operation: a client's request, a screen or the workflow itself. If the
  /// operation of a screen fails, this screen shows the error.
  var origin: Origin
  /// Whether the form that has sent this operation stays open.
  var stays = false
  /// The numbers of the drafts whose text this operation stores.
  var drafts: [Int64] = []
  /// The token of the request for which a client waits; `nil` if no client waits.
  var token: OperationToken?
}

extension QueuedOperation {
  var isReadingRows: Bool { if case .rows = operation { true } else { false } }

  /// The todo whose form or comparison the user has saved; `nil` for other operations.
  var savedTodo: TodoID? {
    switch (origin, operation) {
    case (.editScreen, .edit(let id, _)), (.conflictScreen, .settle(let id, _, _)),
      (.conflictScreen, .resolve(let id, _, _)):
      id
    default: nil
    }
  }

  /// Returns the outcome to report to the client; an empty array if no client waits.
  ///
  /// The client of a screen action sees the effect on the screens. The outcome only reports a
  /// failure, a decision that is needed, or the new base for text that the user typed during a
  /// save.
  func end(_ outcome: TodoOutcome, saved: FormBase? = nil) -> [OperationEnd] {
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
