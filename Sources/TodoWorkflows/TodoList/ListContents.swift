import ScreenModel
import TodoModel

/// What the list shows: some of its rows, those of a filter, and a message above them.
struct ListContents: Equatable {
  private(set) var rows = TodoRows()
  /// Which part of the list the front-end wants.
  private(set) var window: ListWindow
  private(set) var filter = ""
  private(set) var message: ScreenMessage?
  private var messageCount = 0
  /// Whether the message is that the source could not be reached.
  private var isMessageOfSource = false
  /// The todo that the user has just made, to be found in the list.
  var selected: TodoID?

  init(window: ListWindow = .whole) { self.window = window }

  // MARK: What the user wants to see

  /// Tells the user something, until the next thing is done.
  mutating func notify(_ level: ScreenMessage.Level, _ text: String, isOfSource: Bool = false) {
    messageCount += 1
    isMessageOfSource = isOfSource
    message = ScreenMessage(level, text, id: messageCount)
  }

  mutating func clearMessage() { message = nil }

  /// The source has answered: what was said of it before is over.
  mutating func clearMessageOfSource() { if isMessageOfSource { message = nil } }

  mutating func find(_ filter: String) {
    (self.filter, selected, window.offset) = (filter.trimmed, nil, 0)
  }

  mutating func turn(to window: ListWindow) { (self.window, selected) = (window, nil) }

  // MARK: What the store has

  /// Reads the rows anew. What the user looks at stays where it is.
  var reading: ListOperation { .rows(filter: filter, window: window, anchor: rows.anchor) }

  /// Reads the rows from where the user wants them.
  var turning: ListOperation { .rows(filter: filter, window: window) }

  /// Shows rows that were read.
  ///
  /// - Returns: `false` if they are of another filter or window than the current ones.
  mutating func apply(_ rows: TodoRows, readBy operation: ListOperation) -> Bool {
    guard case .rows(filter, window, _) = operation else { return false }
    self.rows = rows
    window = rows.window
    return true
  }

  /// Shows rows that were read without a filter.
  ///
  /// - Returns: `false` as above.
  mutating func apply(_ rows: TodoRows) -> Bool {
    guard filter.isEmpty, rows.window == window, rows.anchor == self.rows.anchor else {
      return false
    }
    self.rows = rows
    return true
  }

  // MARK: What has changed

  /// Shows a change, where what is shown says enough for that. False: the rows have to be read anew.
  mutating func show(_ change: RowChange) -> Bool {
    // Which rows a filter shows only the store knows.
    guard filter.isEmpty else { return false }
    let isCurrent = rows.window == window
    let isShown = apply(change)
    if isCurrent { window = rows.window }
    return isShown && !rows.isShort
  }

  private mutating func apply(_ change: RowChange) -> Bool {
    switch change {
    case .added(let todo):
      guard rows.offset == 0 else { return false }
      rows.add(row(todo))
    case .changed(let todo): rows.replace(row(todo))
    case .cameBack(let todo):
      // It comes back to the place that it had.
      guard rows.items.contains(id: todo.id.text) else { return false }
      rows.replace(row(todo))
    case .removed(let id):
      // Above what is shown or below it: only the store knows.
      guard rows.items.contains(id: id.text) else { return rows.isWhole }
      rows.remove(id)
    }
    return true
  }

  /// A todo as the list shows it.
  private func row(_ todo: Todo) -> TodoRow { TodoRow(todo, hasPreview: window.hasPreviews) }
}

/// What has become of a todo.
enum RowChange {
  case added(Todo)
  case changed(Todo)
  /// It may have been gone.
  case cameBack(Todo)
  case removed(TodoID)
}
