import JSONRPC
import TodoWorkflows

/// A call that has begun and is not answered.
struct BegunCall {
  var address: ReplyAddress
  var context: RequestContext
  var purpose: Purpose
  var progress: CallProgress
  /// Whether its client no longer waits; then it is not answered.
  var isCancelledByClient = false

  enum Purpose {
    case tool(any Tool)
    /// The todo is read that is to be removed, so that the user can be asked.
    case confirming(RemoveTodo)
    /// The user is asked.
    case asking(RemoveTodo)
    case reading(uri: String, ResourceAddress)
    case subscribing(uri: String, ResourceAddress)
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
    case .confirming, .reading, .subscribing: false
    }
  }
}

/// How far a call is, and whether that was told. It only grows.
struct CallProgress {
  private var reached: LoadProgress?
  private(set) var isNews = false

  mutating func note(_ progress: LoadProgress) {
    guard reached.map({ $0.pagesDone < progress.pagesDone }) ?? true else { return }
    (reached, isNews) = (progress, true)
  }

  /// What is to be told now.
  mutating func take() -> LoadProgress? {
    guard isNews else { return nil }
    isNews = false
    return reached
  }
}
