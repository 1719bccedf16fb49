import JSONRPC
import TodoWorkflows

/// A request of the client that was started and not answered yet.
struct InFlightCall {
  var address: ReplyAddress
  var context: RequestContext
  var purpose: Purpose
  var progress: CallProgress
  /// Whether the client has cancelled the call. It then gets no response.
  var isCancelledByClient = false

  enum Purpose {
    case tool(any Tool)
    /// The call adds several todos, one after another.
    case adding(AddBatch)
    /// The call reads a todo, before an edit replaces the todo's note.
    case checkingNote(EditTodo)
    /// The call reads the todo or conflict about which the user will be asked.
    case confirming(any AskingTool)
    /// The call waits for the user's answer.
    case asking(any AskingTool)
    case reading(uri: String, ResourceAddress)
    case subscribing(uri: String, ResourceAddress)
    case completing(IDCompletion)
  }

  init(_ address: ReplyAddress, _ context: RequestContext, _ purpose: Purpose) {
    self.address = address
    self.context = context
    self.purpose = purpose
    progress = CallProgress()
  }

  /// Whether the call waits for the network or the user, and not for the store.
  var isCancellable: Bool {
    switch purpose {
    case .tool(let tool): type(of: tool).effect == .syncs
    case .asking: true
    case .adding, .checkingNote, .confirming, .reading, .subscribing, .completing: false
    }
  }
}

/// Several todos to add. They are added in reverse order, because each new todo goes to the top of
/// the list.
struct AddBatch {
  private var waiting: [TodoOperation]
  private var done: [AddedTodo] = []

  init(_ operations: [TodoOperation]) { waiting = operations }

  /// Removes and returns the next operation.
  mutating func next() -> TodoOperation? { waiting.popLast() }

  mutating func record(_ outcome: TodoOutcome) {
    done.insert(AddedTodo(outcome), at: 0)
  }

  /// The results in the order of the call. A todo that was not attempted has the error
  /// `interrupted`.
  var result: AddedTodos {
    let rest = waiting.map { _ in AddedTodo(.cancelled) }
    return AddedTodos(results: rest + done)
  }
}

/// The progress of a call, and whether it must be reported. Progress that is not higher than the
/// recorded progress is ignored.
struct CallProgress {
  private var reached: LoadProgress?
  private(set) var hasChange = false

  mutating func record(_ progress: LoadProgress) {
    guard reached.map({ $0.pagesDone < progress.pagesDone }) ?? true else { return }
    (reached, hasChange) = (progress, true)
  }

  /// Returns the progress to report now; `nil` if it has not changed since the last report.
  mutating func next() -> LoadProgress? {
    guard hasChange else { return nil }
    hasChange = false
    return reached
  }
}
