import ScreenModel
import TodoModel

/// The removed todos on the screen, and the window that the front-end shows.
struct RemovedList: Sendable, Equatable {
  let key: TodoListKey
  /// The todos, newest first.
  private(set) var todos: [RemovedTodo]
  var window: ListWindow
  private(set) var message: ScreenMessage?
  private var messageCount = 0

  init(_ todos: [RemovedTodo], in key: TodoListKey, window: ListWindow) {
    (self.key, self.todos, self.window) = (key, todos, window)
    self.window.offset = 0
  }

  mutating func follow(_ todos: [RemovedTodo]) { self.todos = todos }

  /// Removes the row of a todo that was restored or forgotten.
  mutating func drop(_ id: TodoID) { todos.removeAll { $0.id == id } }

  mutating func notify(_ level: ScreenMessage.Level, _ text: String) {
    messageCount += 1
    message = ScreenMessage(level, text, id: messageCount)
  }

  mutating func clearMessage() { message = nil }

  /// Returns the title of a todo on the screen.
  func title(of id: TodoID) -> String? { todos.first { $0.id == id }?.title }

  /// Whether any todo can be restored.
  var hasRestorable: Bool { todos.contains { $0.reason != .leftFilter } }

  /// Whether a restored todo may be opened again at its source.
  var hasClosed: Bool { todos.contains { $0.reason == .closed } }

  /// The index of the first row to show. A window beyond the end shows the last rows.
  var offset: Int {
    guard window.offset >= todos.count else { return window.offset }
    return max(0, todos.count - (window.limit ?? todos.count))
  }

  /// The rows to show.
  var rows: ArraySlice<RemovedTodo> { todos.dropFirst(offset).prefix(window.limit ?? .max) }
}

extension RemovedTodo {
  /// The reason, the actor and the time, such as `removed by an assistant, 2026-11-23 16:42 UTC`.
  var detail: String { "\(event), \(removedAt.minuteText)" }

  private var event: String {
    switch reason {
    case .removed: "removed \(author.phrase)"
    case .closed: "closed \(author.phrase)"
    case .deleted: "deleted \(author.phrase)"
    case .leftFilter: "left the filter"
    }
  }
}

extension ChangeAuthor {
  fileprivate var phrase: String {
    switch self {
    case .local: "by you"
    case .document: "in a document"
    case .assistant: "by an assistant"
    case .source: "at the source"
    }
  }
}
