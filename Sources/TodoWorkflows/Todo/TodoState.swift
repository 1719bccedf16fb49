import ScreenModel
import TodoModel

extension TodoWorkflow {
  package struct State: Equatable {
    var step: Step = .list
    var list: ListContents
    var load = LoadCoordinator.starting(.pull)
    var queue = OperationQueue()
    /// Whether the list has a source on the network.
    var hasSource = false
    var schedule = SyncSchedule()
    /// How many todos are not as the source has them.
    var counts = SyncCounts()
    /// When the list was last as the source has it.
    var syncedAt: Timestamp?

    init(window: ListWindow = .whole) {
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
    case edit(OpenEdit)
    case conflict(ConflictSides, failure: TodoError?, typed: TypedText? = nil)
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
    /// What was typed before this was opened again.
    var typed: TypedText?
  }

  package func makeInitialState() -> State {
    var state = State(window: window)
    guard source.remote != nil else { return state }
    state.hasSource = true
    if services.sync?.kind == .manual { state.load = .starting(.none) }
    return state
  }

  /// While the list is loaded, the front-end may say which part of it is to be shown.
  package func workflowDidChange(from previousWorkflow: TodoWorkflow, state: inout State) {
    if window != previousWorkflow.window { state.list.turn(to: window) }
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
  mutating func startLoad(inFront: Bool) {
    load.start(.pull, inFront: inFront)
    list.clearMessage()
    list.selected = nil
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

  /// Reads everything that is shown again: it was changed, but not from this list. Unsaved text stays.
  mutating func readAgain() {
    load.markOutdated()
    list.selected = nil
    readRows()
    recount()
    refreshEdit()
  }

  mutating func readRows() { queue.add(list.reading, from: .list, token: nil) }

  /// Reads the todo anew whose edit is open: it may be another one now, or gone.
  mutating func refreshEdit() {
    guard case .edit(let open) = step else { return }
    queue.add(.refresh(open.todo.id), from: .refresh, token: nil)
  }
}
