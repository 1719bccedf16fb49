import ScreenModel
import TodoModel

extension TodoWorkflow {
  package struct State: Equatable {
    let key: TodoListKey
    var step: Step = .list
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
    /// The counts of the todos that differ from the source, by state.
    var counts = SyncCounts()
    /// The counts of open todos; `nil` before they are counted, or if the user has only one list.
    var openCounts: OpenCounts?
    /// The time at which all changes of the source were last loaded.
    var syncedAt: Timestamp?
    /// The error of the last sync; `nil` if it succeeded.
    var failure: SyncFailure?

    init(of key: TodoListKey, window: ListWindow = .whole) {
      self.key = key
      list = ListContents(window: window)
    }

    /// The number of todos in the list, including those that the filter hides.
    var total: Int {
      if case .success(let summary) = load.request { summary.total } else { list.rows.total }
    }

    /// The sync state of the list for its screen; `nil` for a local list.
    var status: ListStatus? {
      guard hasSource else { return nil }
      return ListStatus(
        pending: counts.pending, conflicts: counts.conflicts, failed: counts.failed,
        syncedAt: syncedAt?.description, retryAt: schedule.retryAt?.description)
    }
  }

  /// The screen in front of the list; `list` if there is none. The enum is indirect, so that a copy
  /// of the state copies only a reference.
  indirect enum Step: Equatable {
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

  /// Handles changed inputs: a new window, a new day, a change of this list by an undo or redo in
  /// another list, or a logout that was started outside this list.
  package func workflowDidChange(from previousWorkflow: TodoWorkflow, state: inout State) {
    if window != previousWorkflow.window { state.list.turn(to: window) }
    // The display of due dates depends on the day.
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
  /// Starts a load that the user has requested.
  mutating func startLoad(_ goal: SyncGoal, inFront: Bool) {
    load.start(goal, inFront: inFront)
    list.clearMessage()
  }

  /// Counts again how many todos differ from their source.
  mutating func recount() {
    guard hasSource, !queue.contains(.counts) else { return }
    queue.add(.counts, from: .refresh, token: nil)
  }

  /// Shows the rows that a load has read. If the rows are outdated or belong to another filter,
  /// reads the rows again.
  mutating func show(_ rows: TodoRows, isOutdated: Bool) {
    if isOutdated || !list.apply(rows) { readRows() }
  }

  /// Reads everything on the screens again, because another client has changed the store. Unsaved
  /// text stays unchanged.
  mutating func readAgain() {
    load.markOutdated()
    readRows()
    recount()
    readDrafts()
    refreshFront()
  }

  mutating func readRows() { queue.add(list.reading, from: .list, token: nil) }

  /// Reads the data of the screen in front of the list again: the todo of a form or a comparison,
  /// or the removed todos. Does nothing for other screens.
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
