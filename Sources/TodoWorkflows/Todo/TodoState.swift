import ScreenModel
import TodoModel

extension TodoWorkflow {
  package struct State: Equatable {
    let key: TodoListKey
    var step: Step = .list
    /// The unsaved text that the open form showed first.
    var restored: RestoredDraft?
    /// Whether the store has drafts.
    var hasDrafts = false
    var list: ListContents
    var load = LoadCoordinator.starting(.pull)
    var queue = OperationQueue()
    /// Whether the list has a source on the network.
    var hasSource = false
    var schedule = SyncSchedule()
    /// How many todos are not as the source has them.
    var counts = SyncCounts()
    /// The numbers of open todos, if the user has several lists.
    var openCounts: OpenCounts?
    /// When the list was last as the source has it.
    var syncedAt: Timestamp?
    /// Why the last run has not brought the list and its source together.
    var failure: SyncFailure?

    init(of key: TodoListKey, window: ListWindow = .whole) {
      self.key = key
      list = ListContents(window: window)
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
    case edit(TodoForm)
    case conflict(Comparison)
    case drafts(DraftChoice)
    case removed(RemovedList)
    case loadFailed(TodoError)
  }

  package func makeInitialState() -> State {
    var state = State(of: list, window: window)
    if services.drafts != nil {
      state.hasDrafts = true
      state.queue.add(.importDrafts, from: .refresh, token: nil)
    }
    guard source.remote != nil else { return state }
    state.hasSource = true
    if services.sync?.kind == .manual { state.load = .starting(.none) }
    return state
  }

  /// While the list is loaded, the front-end may say which part of it is to be shown.
  package func workflowDidChange(from previousWorkflow: TodoWorkflow, state: inout State) {
    if window != previousWorkflow.window { state.list.turn(to: window) }
    // What is overdue, due today and of this week is so by the day.
    if today != previousWorkflow.today { state.readRows() }
    if foreignChangeCount != previousWorkflow.foreignChangeCount {
      if state.hasSource { state.schedule.recordEdit() }
      state.readAgain()
    }
    if isLeaving, !previousWorkflow.isLeaving {
      state.queue.add(.logOut, from: .request, token: nil)
    }
  }
}

extension TodoWorkflow.State {
  /// Starts a load for the user.
  mutating func startLoad(_ goal: SyncGoal, inFront: Bool) {
    load.start(goal, inFront: inFront)
    list.clearMessage()
  }

  /// Counts anew what is not as the source has it.
  mutating func recount() {
    guard hasSource, !queue.contains(.counts) else { return }
    queue.add(.counts, from: .refresh, token: nil)
  }

  /// Shows rows that a load read, or asks for those of the filter and of now.
  mutating func show(_ rows: TodoRows, isOutdated: Bool) {
    if isOutdated || !list.apply(rows) { readRows() }
  }

  /// Reads everything that is shown again after a change by another client. Unsaved text stays.
  mutating func readAgain() {
    load.markOutdated()
    readRows()
    recount()
    readDrafts()
    refreshFront()
  }

  mutating func readRows() { queue.add(list.reading, from: .list, token: nil) }

  /// Reads again what the screen in front of the list shows: it may have changed.
  mutating func refreshFront() {
    switch step {
    case .edit(let form): queue.add(.refresh(form.todo.id), from: .refresh, token: nil)
    case .conflict(let comparison):
      queue.add(.refresh(comparison.sides.id), from: .refresh, token: nil)
    case .removed: readRemoved()
    case .list, .drafts, .loadFailed: break
    }
  }
}
