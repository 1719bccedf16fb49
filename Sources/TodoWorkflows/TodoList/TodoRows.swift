import ScreenModel
import TodoModel

/// The part of a list that is shown, and where in the whole it is. What is outside it is in the
/// store only.
package struct TodoRows: Sendable, Equatable {
  package private(set) var items: ListItems
  /// How many rows the whole has.
  package private(set) var total: Int
  /// Where in the whole the items begin.
  package private(set) var offset: Int
  /// What was asked for.
  package var window: ListWindow

  package init(
    _ rows: [TodoRow] = [], total: Int? = nil, offset: Int = 0, window: ListWindow = .whole
  ) {
    items = ListItems(rows.map { ListItem($0) })
    self.total = total ?? rows.count
    self.offset = offset
    self.window = window
  }

  /// The row that is to stay where it is when rows above it come and go; nil at the top, where
  /// what is new is to be seen.
  var anchor: TodoID? { offset == 0 ? nil : items.first.map { TodoID($0.id) } }

  /// Whether rows are missing that belong in the window. A window beyond the end shows the end.
  var isShort: Bool {
    let room = window.limit ?? .max
    if items.isEmpty { return min(room, total) > 0 }
    return items.count < min(room, total - offset)
  }

  var isWhole: Bool { items.count == total }

  /// Adds a row at the top, which is shown; it may be there already, brought by a load.
  mutating func add(_ row: TodoRow) {
    if items.contains(id: row.id.text) { remove(row.id) }
    total += 1
    items.insert(ListItem(row), at: 0)
    if let limit = window.limit, items.count > limit { items.removeLast() }
  }

  /// Changes a row, if it is shown.
  mutating func replace(_ row: TodoRow) { items.replace(ListItem(row)) }

  /// Marks the todos that have drafts, unless a row has a more urgent badge.
  mutating func mark(_ todos: [DraftedTodo]) {
    for todo in todos {
      guard let index = items.index(of: todo.id.text), var item = items[index],
        item.tone != .alert
      else { continue }
      (item.badge, item.tone) = ("draft", .notice)
      items.replace(item)
    }
  }

  /// Takes out a row that is shown.
  mutating func remove(_ id: TodoID) {
    items.remove(id: id.text)
    total -= 1
  }
}

extension ListItem {
  /// The row of a removed todo whose drafts can still be saved.
  init(removed todo: DraftedTodo) {
    self.init(
      id: todo.id.text, title: todo.title, detail: todo.typedAt.minuteText, badge: "draft",
      tone: .notice)
  }

  fileprivate init(_ row: TodoRow) {
    let (badge, tone): (String?, Tone?) =
      switch row.sync {
      case .local, .synced: (nil, row.isDone ? .muted : nil)
      case .pending: ("pending", .notice)
      case .conflict: ("conflict", .alert)
      case .failed: ("failed", .alert)
      }
    self.init(
      id: row.id.text, title: row.title, detail: row.number.map { "#\($0)" },
      isChecked: row.isDone, badge: badge, tone: tone, url: row.url, preview: row.preview)
  }
}
