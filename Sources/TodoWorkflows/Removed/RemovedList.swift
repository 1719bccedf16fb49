import ScreenModel
import TodoModel

/// The contents of the screen of removed todos, and the window of rows that the front-end shows.
struct RemovedList: Sendable, Equatable {
  let key: TodoListKey
  /// The removed todos, newest first.
  private(set) var todos: [RemovedTodo]
  var window: ListWindow
  private(set) var message: ScreenMessage?
  private var messageCount = 0

  init(_ todos: [RemovedTodo], in key: TodoListKey, window: ListWindow) {
    (self.key, self.todos, self.window) = (key, todos, window)
    self.window.offset = 0
  }

  mutating func follow(_ todos: [RemovedTodo]) { self.todos = todos }

  /// Removes a todo from the screen, because it was restored or deleted permanently.
  mutating func drop(_ id: TodoID) { todos.removeAll { $0.id == id } }

  mutating func notify(_ level: ScreenMessage.Level, _ text: String) {
    messageCount += 1
    message = ScreenMessage(level, text, id: messageCount)
  }

  mutating func clearMessage() { message = nil }

  /// Returns the title of a todo on the screen; `nil` if the todo is not on the screen.
  func title(of id: TodoID) -> String? { todos.first { $0.id == id }?.title }

  /// Whether at least one of the todos can be restored.
  var hasRestorable: Bool { todos.contains { $0.reason != .leftFilter } }

  /// Whether restoring one of the todos can reopen its item at the source.
  var hasClosed: Bool { todos.contains { $0.reason == .closed } }

  /// The index of the first visible row. If the window begins beyond the end, the last rows are
  /// visible.
  var offset: Int {
    guard window.offset >= todos.count else { return window.offset }
    return max(0, todos.count - (window.limit ?? todos.count))
  }

  /// The visible rows.
  var rows: ArraySlice<RemovedTodo> { todos.dropFirst(offset).prefix(window.limit ?? .max) }
}

extension RemovedTodo {
  /// The reason, the author and the time, such as `removed by an assistant, 2026-11-23 16:42 UTC`.
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
