import ScreenModel
import TodoModel

/// The contents of the list's screen: the rows of a window and filter, and a message.
struct ListContents: Equatable {
  private(set) var rows = TodoRows()
  /// The part of the list that the front-end shows.
  private(set) var window: ListWindow
  private(set) var filter = ""
  /// The number of times that rows were read or changed.
  private(set) var readCount = 0
  /// The position of the window before the filter was set.
  private var unfilteredPlace = Place(offset: 0, anchor: nil)
  private(set) var message: ScreenMessage?
  private var messageCount = 0
  /// Whether the message reports that the source could not be reached.
  private var isMessageOfSource = false
  /// The todos with drafts of ended processes, newest first.
  private(set) var drafted: [DraftedTodo] = []
  /// The row that the front-end selects. It stays here until the row is gone, but the front-end
  /// receives it only once.
  private(set) var selection: ListSelection?
  /// The todo to show and select, until rows that contain it have been read.
  private var revealed: TodoID?

  /// The start of a window.
  private struct Place: Equatable {
    var offset: Int
    var anchor: TodoID?
  }

  init(window: ListWindow = .whole) { self.window = window }

  // MARK: Message, filter and window

  /// Shows a message until the next action.
  mutating func notify(_ level: ScreenMessage.Level, _ text: String, isOfSource: Bool = false) {
    messageCount += 1
    isMessageOfSource = isOfSource
    message = ScreenMessage(level, text, id: messageCount)
  }

  mutating func clearMessage() { message = nil }

  /// Removes a message about the source, because it has responded.
  mutating func clearMessageOfSource() { if isMessageOfSource { message = nil } }

  /// Sets the filter, and moves the window to the first match. An empty filter returns the window
  /// to its position before a filter was set.
  ///
  /// - Returns: The operation that reads the rows.
  mutating func find(_ text: String) -> ListOperation {
    let text = text.trimmed
    var place = Place(offset: 0, anchor: nil)
    switch (filter.isEmpty, text.isEmpty) {
    case (true, true): return reading
    case (true, false): unfilteredPlace = Place(offset: window.offset, anchor: anchor)
    case (false, true): place = unfilteredPlace
    case (false, false): break
    }
    (filter, revealed, window.offset) = (text, nil, place.offset)
    return .rows(filter: text, window: window, anchor: place.anchor)
  }

  mutating func turn(to window: ListWindow) { (self.window, revealed) = (window, nil) }

  /// Selects a todo. If it is outside the window, the next read moves the window to it.
  mutating func reveal(_ id: TodoID) { revealed = id }

  // MARK: Rows from the store

  /// The operation that reads the rows again. Visible rows keep their position.
  var reading: ListOperation {
    .rows(filter: filter, window: window, anchor: anchor, revealing: revealed)
  }

  /// The row that keeps its position on the screen; `nil` if the rows of a new window have not been
  /// read yet.
  private var anchor: TodoID? { rows.window == window ? rows.anchor : nil }

  /// The operation that reads the rows from the offset of the window on, without keeping the
  /// position of a row.
  var rowsAtOffset: ListOperation { .rows(filter: filter, window: window) }

  /// Shows rows that were read.
  ///
  /// - Returns: `false` if the rows are of another filter or window than the current ones.
  mutating func apply(_ rows: TodoRows, readBy operation: ListOperation) -> Bool {
    readCount += 1
    guard case .rows(filter, window, _, let revealed) = operation else { return false }
    self.rows = rows
    self.rows.mark(drafted)
    window = rows.window
    updateSelection()
    // If the rows do not contain the todo, the filter hides it.
    if revealed == self.revealed { self.revealed = nil }
    return true
  }

  /// Shows rows that a load read without a filter.
  ///
  /// - Returns: `false` if a filter is set, or if the rows are of another window than the current
  ///   one.
  mutating func apply(_ rows: TodoRows) -> Bool {
    readCount += 1
    guard filter.isEmpty, rows.window == window, rows.anchor == self.rows.anchor else {
      return false
    }
    self.rows = rows
    self.rows.mark(drafted)
    updateSelection()
    return true
  }

  private mutating func updateSelection() {
    if let id = revealed?.text, rows.items.contains(id: id) {
      (selection, revealed) = (ListSelection(id: id), nil)
    }
    if let selection, !rows.items.contains(id: selection.id) { self.selection = nil }
  }

  /// Marks the todos that have drafts.
  ///
  /// - Returns: `false` if rows must be read again, because a mark must be removed.
  mutating func show(_ todos: [DraftedTodo]) -> Bool {
    let isShown = drafted.allSatisfy { old in todos.contains { $0.id == old.id } }
    drafted = todos
    rows.mark(todos)
    return isShown
  }

  /// The removed todos whose drafts can still be saved.
  var removedWithDraft: [DraftedTodo] { drafted.filter(\.isGone) }

  // MARK: Changes

  /// Shows a change.
  ///
  /// - Returns: `false` if the rows must be read again.
  mutating func show(_ change: RowChange) -> Bool {
    readCount += 1
    // Only the store knows which rows match a filter.
    guard filter.isEmpty else { return false }
    let isCurrent = rows.window == window
    let isShown = apply(change)
    rows.mark(drafted)
    if isCurrent { window = rows.window }
    updateSelection()
    return isShown && !rows.isShort
  }

  private mutating func apply(_ change: RowChange) -> Bool {
    switch change {
    case .added(let todo):
      guard rows.offset == 0 else { return false }
      rows.add(row(todo))
    case .changed(let todo): rows.replace(row(todo))
    case .reappeared(let todo):
      // Only the store knows the position of a restored todo.
      guard rows.items.contains(id: todo.id.text) else { return false }
      rows.replace(row(todo))
    case .removed(let id):
      // Only the store knows whether the todo was above or below the visible rows.
      guard rows.items.contains(id: id.text) else { return rows.isWhole }
      rows.remove(id)
    }
    return true
  }

  /// Returns a todo as a row of the list.
  private func row(_ todo: Todo) -> TodoRow { TodoRow(todo, hasPreview: window.hasPreviews) }
}

/// A change of a todo that affects the rows.
enum RowChange {
  case added(Todo)
  case changed(Todo)
  /// A todo that may have been removed before.
  case reappeared(Todo)
  case removed(TodoID)
}
