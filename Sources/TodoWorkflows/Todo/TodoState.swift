import ScreenModel
import TodoModel

extension TodoWorkflow {
  package struct State: Equatable {
    let key: TodoListKey
    var step: Step = .list
    /// The unsaved text with which the open form was opened; `nil` if there was none.
    var restored: RestoredDraft?
    /// Whether the store supports drafts.
    var hasDrafts = false
    var list: ListContents
    var load = LoadCoordinator.starting(.pull)
    var queue = OperationQueue()
    /// Whether the list has a source on the network.
    var hasSource = false
    var schedule = SyncSchedule()
    /// The number of reloads and syncs that the user has requested.
    var refreshCount = 0
    /// The numbers of todos that differ from the source.
    var counts = SyncCounts()
    /// The numbers of open todos, if the user has several lists.
    var openCounts: OpenCounts?
    /// The time at which the list was last identical to the source.
    var syncedAt: Timestamp?
    /// The error of the last sync.
    var failure: SyncFailure?

    init(of key: TodoListKey, window: ListWindow = .whole) {
      self.key = key
      list = ListContents(window: window)
    }

    /// The number of todos in the list, including those that the filter hides.
    var total: Int {
      if case .success(let summary) = load.request { summary.total } else { list.rows.total }
    }

    /// The state of the list relative to its source; `nil` for a local list.
    var status: ListStatus? {
      guard hasSource else { return nil }
      return ListStatus(
        pending: counts.pending, conflicts: counts.conflicts, failed: counts.failed,
        syncedAt: syncedAt?.description, retryAt: schedule.retryAt?.description)
    }
  }

  /// The screen in front of the list; `list` if there is none.
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

  /// Handles a change of the front-end's window or of the day, an undo or redo from another list,
  /// and a logout.
  package func workflowDidChange(from previousWorkflow: TodoWorkflow, state: inout State) {
    if window != previousWorkflow.window { state.list.turn(to: window) }
    // Overdue, due today and due this week depend on the day.
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

  /// Counts again how many todos differ from the source.
  mutating func recount() {
    guard hasSource, !queue.contains(.counts) else { return }
    queue.add(.counts, from: .refresh, token: nil)
  }

  /// Shows the rows that a load has read. If they are outdated or of another filter, reads the rows
  /// again.
  mutating func show(_ rows: TodoRows, isOutdated: Bool) {
    if isOutdated || !list.apply(rows) { readRows() }
  }

  /// Reads everything on the screens again after a change by another client. Unsaved text stays.
  mutating func readAgain() {
    load.markOutdated()
    readRows()
    recount()
    readDrafts()
    refreshFront()
  }

  mutating func readRows() { queue.add(list.reading, from: .list, token: nil) }

  /// Reads again the todo or the todos that the screen in front of the list shows.
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
