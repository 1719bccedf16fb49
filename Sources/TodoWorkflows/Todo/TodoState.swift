import ScreenModel
import TodoModel

extension TodoWorkflow {
  package struct State: Equatable {
    var step: Step = .list
    /// What the list shows, and which part of it the front-end wants.
    var rows = TodoRows()
    var window: ListWindow
    var filter = ""
    private(set) var message: ScreenMessage?
    private var messageCount = 0
    /// The todo that the user has just made, to be found in the list.
    var selected: TodoID?
    var load: Load
    /// What waits for its turn, the oldest first; the first one is under way.
    var queue: [QueuedOperation] = []
    var operationCount = 0
    /// Pages that are read on other threads.
    var slowReads: [SlowRead] = []

    init(window: ListWindow = .whole) {
      self.window = window
      load = Load()
    }

    /// Tells the user something on the list, until the next thing is done.
    mutating func say(_ level: ScreenMessage.Level, _ text: String) {
      messageCount += 1
      message = ScreenMessage(level, text, id: messageCount)
    }

    mutating func clearMessage() { message = nil }
  }

  /// What is in front of the list.
  enum Step: Equatable {
    case list
    case edit(OpenEdit)
    case conflict(TodoID, TodoConflict, failure: TodoError?)
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

  /// Where the load stands that brings the list up to date.
  struct Load: Equatable {
    var request: AsyncRequestState<LoadSummary> = .request
    /// Each load has a number of its own, so that its worker is its own.
    var number = 1
    /// Whether the loading screen is in front: not when somebody is at work on the list.
    var isInFront = true
    /// Whether something was changed meanwhile: the rows that it read may be older than that.
    var isOvertaken = false
    var waiting: [OperationToken] = []
    /// The load that nobody but this operation wanted; it ends with it.
    var startedBy: OperationToken?
  }

  package func makeInitialState() -> State { State(window: window) }

  /// While the list is loaded, the front-end may say which part of it is to be shown.
  package func workflowDidChange(from previousWorkflow: TodoWorkflow, state: inout State) {
    if window != previousWorkflow.window { state.window = window }
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

  /// Who still waits for the load before it waits for this one.
  mutating func startLoad(inFront: Bool, token: OperationToken? = nil) {
    load = TodoWorkflow.Load(
      number: load.number + 1, isInFront: inFront,
      waiting: load.waiting + (token.map { [$0] } ?? []), startedBy: token)
    clearMessage()
    selected = nil
  }

  /// Shows rows that a load read, or asks for those of the filter and of now.
  mutating func show(_ rows: TodoRows) {
    if filter.isEmpty, !load.isOvertaken, rows.window == window, rows.anchor == self.rows.anchor {
      self.rows = rows
    } else {
      readRows()
    }
  }

  /// Reads the rows anew. What the user looks at stays where it is.
  mutating func readRows(token: OperationToken? = nil) {
    enqueue(
      .rows(filter: filter, window: window, anchor: rows.anchor), from: .list, token: token)
  }

  /// Reads the todo anew whose edit is open: it may be another one now, or gone.
  mutating func refreshEdit() {
    guard case .edit(let open) = step else { return }
    enqueue(.refresh(open.todo.id), from: .refresh, token: nil)
  }

  /// Shows another part of the list.
  mutating func show(_ window: ListWindow, token: OperationToken?) {
    (self.window, selected) = (window, nil)
    enqueue(.rows(filter: filter, window: window), from: .list, token: token)
  }
}
