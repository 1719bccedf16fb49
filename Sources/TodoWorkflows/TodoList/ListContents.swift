import ScreenModel
import TodoModel

/// What the list shows: some of its rows, those of a filter, and a message above them.
struct ListContents: Equatable {
  private(set) var rows = TodoRows()
  /// Which part of the list the front-end wants.
  private(set) var window: ListWindow
  private(set) var filter = ""
  /// The number of times that rows were read or changed.
  private(set) var readCount = 0
  /// The place of the window before the filter was set.
  private var unfilteredPlace = Place(offset: 0, anchor: nil)
  private(set) var message: ScreenMessage?
  private var messageCount = 0
  /// Whether the message is that the source could not be reached.
  private var isMessageOfSource = false
  /// The todos with drafts of ended processes, newest first.
  private(set) var drafted: [DraftedTodo] = []
  /// The row that the cursor is to move to. It stays until the row is gone: the display sends it once.
  private(set) var selection: ListSelection?
  /// The todo to show and to select, until rows have been read that show it.
  private var revealed: TodoID?

  /// The start of a window.
  private struct Place: Equatable {
    var offset: Int
    var anchor: TodoID?
  }

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

  /// Shows the matches of a filter from the first one on. An empty filter returns the window to its
  /// place before the filter was set.
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

  // MARK: What the store has

  /// Reads the rows anew. What the user looks at stays where it is.
  var reading: ListOperation {
    .rows(filter: filter, window: window, anchor: anchor, revealing: revealed)
  }

  /// The row that is to stay in place; `nil` if the rows of a new window have not been read yet.
  private var anchor: TodoID? { rows.window == window ? rows.anchor : nil }

  /// Reads the rows from where the user wants them.
  var turning: ListOperation { .rows(filter: filter, window: window) }

  /// Shows rows that were read.
  ///
  /// - Returns: `false` if they are of another filter or window than the current ones.
  mutating func apply(_ rows: TodoRows, readBy operation: ListOperation) -> Bool {
    readCount += 1
    guard case .rows(filter, window, _, let revealed) = operation else { return false }
    self.rows = rows
    self.rows.mark(drafted)
    window = rows.window
    updateSelection()
    // The filter hides it.
    if revealed == self.revealed { self.revealed = nil }
    return true
  }

  /// Shows rows that were read without a filter.
  ///
  /// - Returns: `false` as above.
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

  /// Shows which todos have drafts.
  ///
  /// - Returns: `false` if the rows have to be read again for that.
  mutating func show(_ todos: [DraftedTodo]) -> Bool {
    let isShown = drafted.allSatisfy { old in todos.contains { $0.id == old.id } }
    drafted = todos
    rows.mark(todos)
    return isShown
  }

  /// The removed todos whose drafts can still be saved.
  var removedWithDraft: [DraftedTodo] { drafted.filter(\.isGone) }

  // MARK: What has changed

  /// Shows a change, where what is shown says enough for that. False: the rows have to be read anew.
  mutating func show(_ change: RowChange) -> Bool {
    readCount += 1
    // Which rows a filter shows only the store knows.
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
