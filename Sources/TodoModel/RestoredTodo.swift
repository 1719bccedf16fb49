/// The result of an undo or a redo.
package struct RestoredTodo: Sendable, Equatable {
  /// The kind of a change that can be undone and redone.
  package enum Change: String, Sendable, CaseIterable {
    case add, edit, done, remove, restore, move
  }

  package var id: TodoID
  /// The change that was undone or redone.
  package var change: Change
  /// The title of the todo; the last one if it is removed.
  package var title: String
  /// The todo after the undo or redo; `nil` if it is removed.
  package var todo: Todo?
  /// The list of the todo, if it is not the list of the request.
  package var list: TodoListKey?
  /// The other todos of a group of changes, each in the same list.
  package var others: [RestoredTodo] = []

  package init(
    id: TodoID, change: Change, title: String, todo: Todo?, list: TodoListKey? = nil
  ) {
    self.id = id
    self.change = change
    self.title = title
    self.todo = todo
    self.list = list
  }

  /// All todos that were restored.
  package var all: [RestoredTodo] {
    var first = self
    first.others = []
    return [first] + others
  }

  /// The title for a message, with the number of the other todos: `Buy milk and 2 more`.
  package var summary: String { others.isEmpty ? title : "\(title) and \(others.count) more" }
}
