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

  /// Takes out everything.
  mutating func removeAll() -> ArraySlice<InboxMessage> {
    defer { (messages, headIndex) = ([], 0) }
    return messages[headIndex...]
  }

  /// The next message that need not wait for the barrier.
  mutating func next(behind barrier: SessionBarrier?) -> InboxMessage? {
    guard let barrier else { return takeHead() }
    var isLogoutAhead = false
    for index in messages.indices[headIndex...] {
      let message = messages[index].message
      guard barrier.holds(message, isLogoutAhead: isLogoutAhead) else {
        return messages.remove(at: index)
      }
      isLogoutAhead = isLogoutAhead || message.method == MethodName.logout.rawValue
    }
    return nil
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
    if headIndex == messages.count { (messages, headIndex) = ([], 0) }
    return message
  }
}

/// A change of session that is under way. What comes after it means the session after it, so it
/// waits; what the user does on the screens does not.
struct SessionBarrier {
  var token: OperationToken
  /// Whether another login is told at once that one is under way.
  var refusesLogin: Bool

  /// - Parameter isLogoutAhead: whether a log-out waits that comes before the message.
  func holds(_ message: Message, isLogoutAhead: Bool) -> Bool {
    guard let name = message.method else { return false }
    switch MethodName(rawValue: name) {
    case .login, .register: return !refusesLogin || isLogoutAhead
    case .logout, .loadTodos, .listTodos, .getTodo, .addTodo, .editTodo, .removeTodo, .undo,
      .redo, .shutdown:
      return true
    case .initialize, .workflowRendering, .screenChange, .screenAct, .screenWindow: return false
    case nil: return NotificationName(rawValue: name) == .exit
    }
  }
}

extension Message {
  /// What it asks for.
  fileprivate var method: String? {
    switch self {
    case .request(let request): request.method
    case .notification(let notification): notification.method
    case .response, .invalid: nil
    }
  }
}
