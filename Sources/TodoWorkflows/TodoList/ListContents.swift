import ScreenModel
import TodoModel

/// The contents of the screen of a list: the rows, the window, the filter, and a message.
struct ListContents: Equatable {
  private(set) var rows = TodoRows()
  /// The part of the list that the front-end shows.
  private(set) var window: ListWindow
  private(set) var filter = ""
  /// The number of times that rows were read or changed.
  private(set) var readCount = 0
  /// The position of the window before the user set the filter.
  private var unfilteredPosition = Place(offset: 0, anchor: nil)
  private(set) var message: ScreenMessage?
  private var messageCount = 0
  private var messageSubject: MessageSubject?
  /// The todos that have drafts of ended server processes. The todo with the newest draft is first.
  private(set) var drafted: [DraftedTodo] = []
  /// The number of rows of `removedWithDraft` above the window. These rows come before the stored
  /// rows. If the window begins below the first stored row, all rows of `removedWithDraft` are
  /// above the window, and this number is not used.
  private(set) var draftRowsAbove = 0
  /// The row that the front-end has to select. The selection is sent to the front-end only once,
  /// but is stored until the list no longer has the row.
  private(set) var selection: ListSelection?
  /// The todo that will be shown and selected when its row has been read.
  private var revealed: TodoID?

  /// The state that a message is about. When the state ends, the message becomes obsolete.
  enum MessageSubject { case sourceFailure, drafts }

  /// The position of a window: the offset of its first row, and the row that must stay in place.
  private struct Place: Equatable {
    var offset: Int
    var anchor: TodoID?
  }

  init(window: ListWindow = .whole) { self.window = window }

  // MARK: Message, filter and window

  /// Shows a message until the user's next action, or until the state `subject` ends.
  mutating func notify(
    _ level: ScreenMessage.Level, _ text: String, about subject: MessageSubject? = nil
  ) {
    messageCount += 1
    messageSubject = subject
    message = ScreenMessage(level, text, id: messageCount)
  }

  mutating func clearMessage() { message = nil }

  /// Removes the message if it is about `subject`, which is a state that has ended.
  mutating func clearMessage(about subject: MessageSubject) {
    if messageSubject == subject { message = nil }
  }

  /// Sets the filter, and moves the window to the first match. An empty text removes the filter,
  /// and moves the window back to its position before the user set the filter.
  ///
  /// - Returns: The operation that reads the rows.
  mutating func find(_ text: String) -> ListOperation {
    let text = text.trimmed
    var place = Place(offset: 0, anchor: nil)
    switch (filter.isEmpty, text.isEmpty) {
    case (true, true): return reading
    case (true, false): unfilteredPosition = Place(offset: window.offset, anchor: anchor)
    case (false, true): place = unfilteredPosition
    case (false, false): break
    }
    (filter, revealed, window.offset) = (text, nil, place.offset)
    return .rows(filter: text, window: window, anchor: place.anchor)
  }

  /// Shows another part of the list. The positions in `window` include the rows of removed todos
  /// with drafts. The positions in `self.window` do not, because these rows are not in the store.
  mutating func turn(to window: ListWindow) {
    draftRowsAbove = min(window.offset, filter.isEmpty ? removedWithDraft.count : 0)
    (self.window, revealed) = (window, nil)
    self.window.offset -= draftRowsAbove
  }

  /// Selects a todo when the rows are next read. If the todo is outside the window, the window
  /// moves to it.
  mutating func reveal(_ id: TodoID) { revealed = id }

  // MARK: Rows from the store

  /// The operation that reads the rows again. Visible rows keep their position on the screen.
  var reading: ListOperation {
    .rows(filter: filter, window: window, anchor: anchor, revealing: revealed)
  }

  /// The row that keeps its position on the screen; `nil` if the rows of the current window have
  /// not been read yet.
  private var anchor: TodoID? { rows.window == window ? rows.anchor : nil }

  /// The operation that reads the rows from the offset of the window. It does not keep the position
  /// of a row.
  var rowsAtOffset: ListOperation { .rows(filter: filter, window: window) }

  /// Shows the rows that an operation has read.
  ///
  /// - Returns: `false` if the rows belong to another filter or window than the current ones.
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

  /// Shows the rows that a load has read without a filter.
  ///
  /// - Returns: `false` if a filter is set, if the rows belong to another window than the current
  ///   one, or if the row that must stay in place has changed.
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
    if let id = revealed?.text, let index = rows.items.index(of: id) {
      (selection, revealed) = (ListSelection(id: id), nil)
      if let limit = window.limit, index + removedWithDraft.count - draftRowsAbove >= limit {
        draftRowsAbove = removedWithDraft.count
      }
    }
    if let selection, !rows.items.contains(id: selection.id) { self.selection = nil }
  }

  /// Marks the todos that have drafts.
  ///
  /// - Returns: `false` if a mark must be removed. The rows must then be read again.
  mutating func show(_ todos: [DraftedTodo]) -> Bool {
    let isShown = drafted.allSatisfy { old in todos.contains { $0.id == old.id } }
    drafted = todos
    if todos.isEmpty { clearMessage(about: .drafts) }
    rows.mark(todos)
    return isShown
  }

  /// The removed todos whose drafts can still be saved as new todos. A todo that has a row is not
  /// among them, even if it is removed according to `drafted`, which can be older than the rows.
  var removedWithDraft: [DraftedTodo] {
    drafted.filter { $0.isGone && !rows.items.contains(id: $0.id.text) }
  }

  /// Returns whether a change removes or restores a todo with drafts. `drafted` is then outdated.
  func changesDraftRow(_ change: RowChange) -> Bool {
    switch change {
    case .added, .changed: false
    case .reappeared(let todo): drafted.contains { $0.id == todo.id }
    case .removed(let id): drafted.contains { $0.id == id }
    }
  }

  // MARK: Changes

  /// Shows a change of a todo in the rows.
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

/// A change of a todo that affects the visible rows.
enum RowChange {
  case added(Todo)
  case changed(Todo)
  /// A todo that was changed by an undo or redo, or restored. It may have been removed before.
  case reappeared(Todo)
  case removed(TodoID)
}
