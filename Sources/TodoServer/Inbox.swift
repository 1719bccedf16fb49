import JSONRPC
import ScreenModel
import TodoProtocol

/// A message that waits to be handled, and the batch that its answer belongs to.
struct InboxMessage {
  var message: Message
  var batch: Int?
}

/// Messages in the order in which they came.
struct Inbox {
  private var messages: [InboxMessage] = []
  /// Those before this index have been handled.
  private var headIndex = 0

  var count: Int { messages.count - headIndex }
  var isEmpty: Bool { count == 0 }

  mutating func add(_ message: InboxMessage) { messages.append(message) }

  mutating func removeAll() {
    messages.removeAll()
    headIndex = 0
  }

  /// The next message that need not wait for the barrier.
  mutating func next(behind barrier: SessionBarrier?) -> InboxMessage? {
    guard let barrier else { return takeHead() }
    let index = messages.indices[headIndex...].first { !barrier.holds(messages[$0].message) }
    return index.map { messages.remove(at: $0) }
  }

  /// Takes out a request that has not been begun.
  mutating func remove(id: RequestID) -> InboxMessage? {
    let index = messages.indices[headIndex...].first {
      if case .request(let request) = messages[$0].message { request.id == id } else { false }
    }
    return index.map { messages.remove(at: $0) }
  }

  private mutating func takeHead() -> InboxMessage? {
    guard headIndex < messages.count else { return nil }
    let message = messages[headIndex]
    headIndex += 1
    if headIndex == messages.count { removeAll() }
    return message
  }
}

/// A change of session that is under way. What comes after it means the session after it, so it
/// waits; what the user does on the screens does not.
struct SessionBarrier {
  var token: OperationToken
  /// Whether another login is told at once that one is under way.
  var refusesLogin: Bool

  func holds(_ message: Message) -> Bool {
    let name: String
    switch message {
    case .request(let request): name = request.method
    case .notification(let notification): name = notification.method
    case .response, .invalid: return false
    }
    switch MethodName(rawValue: name) {
    case .login, .register: return !refusesLogin
    case .logout, .loadTodos, .listTodos, .getTodo, .addTodo, .editTodo, .removeTodo, .shutdown:
      return true
    case .initialize, .workflowRendering, .screenChange, .screenAct: return false
    case nil: return NotificationName(rawValue: name) == .exit
    }
  }
}
