import ScreenModel
import TodoModel

/// The visible rows of the agenda.
struct AgendaRows: Equatable {
  private(set) var items = ListItems()
  /// The number of rows of the whole agenda.
  private(set) var total = 0
  /// The index of the first visible row among all rows of the agenda.
  private(set) var offset = 0
  private var todos: [Agenda.Row] = []

  init() {}

  /// Creates the visible rows from a window of the agenda.
  ///
  /// - Parameter today: The day on which the rows were read. It determines which todos are overdue.
  init(_ agenda: Agenda, on today: CivilDay) {
    (total, offset, todos) = (agenda.total, agenda.offset, agenda.rows)
    items = ListItems(agenda.rows.map { Self.item($0, on: today) })
  }

  /// Replaces the rows with rows that were read later.
  mutating func update(to rows: AgendaRows) {
    (total, offset, todos) = (rows.total, rows.offset, rows.todos)
    items.update(to: rows.items)
  }

  /// Returns the todo of an item, and its list. Returns `nil` for an item that stands for the
  /// hidden todos of a section.
  func todo(_ id: String) -> (id: TodoID, list: TodoListKey)? {
    guard let index = items.index(of: id), case .todo(let todo, let list) = todos[index].content
    else { return nil }
    return (todo.id, list)
  }

  /// Returns the items, with marks on todos that have drafts and on todos of read-only lists.
  ///
  /// - Parameter drafted: The todos with drafts, by list.
  func items(
    marking drafted: [TodoListKey: [DraftedTodo]], _ readOnlyLists: Set<TodoListKey>
  ) -> ListItems {
    var items = items
    if !readOnlyLists.isEmpty {
      for case .todo(let todo, let list) in todos.map(\.content) where readOnlyLists.contains(list)
      {
        items.markReadOnly(Self.itemID(of: todo.id, in: list))
      }
    }
    for (list, todos) in drafted {
      for todo in todos { items.markDraft(Self.itemID(of: todo.id, in: list)) }
    }
    return items
  }

  private static func item(_ row: Agenda.Row, on today: CivilDay) -> ListItem {
    var item: ListItem
    switch row.content {
    case .todo(let todo, let list):
      item = ListItem(todo, on: today)
      item.id = itemID(of: todo.id, in: list)
      let name = TodoSource.wireName(of: list)
      item.detail = item.detail.map { $0 + (" · " + name) } ?? name
    case .rest(let count): item = ListItem(id: "rest/\(row.section)", title: "\(count) more")
    }
    item.section = row.section.title
    return item
  }

  /// Returns the ID of a todo's item in the agenda. It differs from the ID of the todo's item in
  /// its own list.
  private static func itemID(of id: TodoID, in list: TodoListKey) -> String {
    TodoSource.wireName(of: list) + "/" + id.text
  }
}
