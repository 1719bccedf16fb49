import ScreenModel
import TodoModel

extension TodoWorkflow {
  package struct State: Equatable {
    var step: Step = .list
    var list: ListContents
    var load: Load
    /// What waits for its turn, the oldest first; the first one is under way.
    var queue: [QueuedOperation] = []
    var operationCount = 0
    /// Pages that are read on other threads.
    var slowReads: [SlowRead] = []
    /// Whether the list has a source on the network.
    var hasSource = false
    var schedule = SyncSchedule()
    /// How many todos are not as the source has them.
    var counts = SyncCounts()
    /// When the list was last as the source has it.
    var syncedAt: Timestamp?

    init(window: ListWindow = .whole) {
      list = ListContents(window: window)
      load = Load()
    }

    /// How many todos the list has, whatever the filter hides.
    var total: Int {
      if case .success(let summary) = load.request { summary.total } else { list.rows.total }
    }

    /// How the list stands towards its source.
    var status: ListStatus? {
      guard hasSource else { return nil }
      return ListStatus(
        pending: counts.pending, conflicts: counts.conflicts, failed: counts.failed,
        syncedAt: syncedAt?.description, retryAt: schedule.retryAt?.description)
    }
  }

  /// What is in front of the list.
  enum Step: Equatable {
    case list
    case edit(OpenEdit)
    case conflict(ConflictSides, failure: TodoError?)
    case loadFailed(TodoError)
  }

  /// The editor of a todo.
  struct OpenEdit: Equatable {
    var todo: Todo
    /// Why the last save did not work.
    var failure: TodoError?
    /// Whether the todo is not there any more.
    var isRemoved = false
    /// How often it was saved from here and stayed open.
    var saveCount = 0
  }

  package func makeInitialState() -> State {
    var state = State(window: window)
    guard source.remote != nil else { return state }
    state.hasSource = true
    if services.sync?.kind == .manual { state.load.goal = .none }
    return state
  }

  /// While the list is loaded, the front-end may say which part of it is to be shown.
  package func workflowDidChange(from previousWorkflow: TodoWorkflow, state: inout State) {
    if window != previousWorkflow.window { state.list.turn(to: window) }
    if isLeaving, !previousWorkflow.isLeaving {
      state.enqueue(.logOut, from: .request, token: nil)
    }
  }
}

extension TodoWorkflow.State {
  var isSaving: Bool { queue.contains { $0.origin == .editScreen || $0.origin == .conflictScreen } }

  mutating func enqueue(
    _ operation: ListOperation, from origin: QueuedOperation.Origin, stays: Bool = false,
    token: OperationToken?
  ) {
    operationCount += 1
    queue.append(
      QueuedOperation(
        number: operationCount, operation: operation, origin: origin, stays: stays, token: token))
  }

  /// Somebody wants the list and its source brought together. Who still waits for the load before
  /// it waits for this one.
  mutating func startLoad(
    _ goal: SyncGoal = .pull, inFront: Bool, token: OperationToken? = nil
  ) {
    beginLoad(goal, inFront: inFront, token: token)
    list.clearMessage()
    list.selected = nil
  }

  mutating func beginLoad(_ goal: SyncGoal, inFront: Bool, token: OperationToken? = nil) {
    load = TodoWorkflow.Load(
      request: goal.pulls || !hasSource ? .request : load.request, number: load.number + 1,
      goal: goal, isPushing: goal.pushes, isInFront: inFront,
      waiting: load.waiting + (token.map { [$0] } ?? []), syncsWaiting: load.syncsWaiting,
      startedBy: token)
  }

  /// Counts anew what is not as the source has it.
  mutating func recount() {
    guard hasSource, !queue.contains(where: { $0.operation == .counts }) else { return }
    enqueue(.counts, from: .refresh, token: nil)
  }

  /// Shows rows that a load read, or asks for those of the filter and of now.
  mutating func show(_ rows: TodoRows) {
    if load.isOvertaken || !list.take(rows) { readRows() }
  }

  mutating func readRows() { enqueue(list.reading, from: .list, token: nil) }

  /// Reads the todo anew whose edit is open: it may be another one now, or gone.
  mutating func refreshEdit() {
    guard case .edit(let open) = step else { return }
    enqueue(.refresh(open.todo.id), from: .refresh, token: nil)
  }
}
