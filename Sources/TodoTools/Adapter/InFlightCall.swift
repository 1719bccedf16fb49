import JSONRPC
import TodoWorkflows

/// A call that has begun and is not answered.
struct InFlightCall {
  var address: ReplyAddress
  var context: RequestContext
  var purpose: Purpose
  var progress: CallProgress
  /// Whether its client no longer waits; then it is not answered.
  var isCancelledByClient = false

  enum Purpose {
    case tool(any Tool)
    /// Several todos are added, one after the other.
    case adding(AddBatch)
    /// The todo is read whose note an edit replaces.
    case checkingNote(EditTodo)
    /// The subject of the question to the user is read.
    case confirming(any AskingTool)
    /// The user is asked.
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

  /// Whether it waits for the network or a person, and not for the store.
  var waitsForNobodyHere: Bool {
    switch purpose {
    case .tool(let tool): type(of: tool).effect == .syncs
    case .asking: true
    case .adding, .checkingNote, .confirming, .reading, .subscribing, .completing: false
    }
  }
}

/// Several todos to add: the last one first, because each new todo is the first of the list.
struct AddBatch {
  private var waiting: [TodoOperation]
  private var done: [AddedTodo] = []

  init(_ operations: [TodoOperation]) { waiting = operations }

  /// Removes and returns the next operation.
  mutating func next() -> TodoOperation? { waiting.popLast() }

  mutating func record(_ outcome: TodoOutcome) {
    done.insert(AddedTodo(outcome), at: 0)
  }

  /// The results in the order of the call. What was not tried is `interrupted`.
  var result: AddedTodos {
    let rest = waiting.map { _ in AddedTodo(.cancelled) }
    return AddedTodos(results: rest + done)
  }
}

/// How far a call is, and whether that was told. It only grows.
struct CallProgress {
  private var reached: LoadProgress?
  private(set) var hasChange = false

  mutating func record(_ progress: LoadProgress) {
    guard reached.map({ $0.pagesDone < progress.pagesDone }) ?? true else { return }
    (reached, hasChange) = (progress, true)
  }

  /// What is to be told now.
  mutating func next() -> LoadProgress? {
    guard hasChange else { return nil }
    hasChange = false
    return reached
  }
}
