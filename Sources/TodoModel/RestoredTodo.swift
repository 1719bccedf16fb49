/// The result of an undo or a redo for one todo.
package struct RestoredTodo: Sendable, Equatable {
  /// The kind of a change that can be undone and redone.
  package enum Change: String, Sendable, CaseIterable {
    case add, edit, done, remove, restore, move
  }

  package var id: TodoID
  /// The kind of the change that was undone or redone.
  package var change: Change
  /// The title of the todo. A removed todo has its last title.
  package var title: String
  /// The todo after the undo or redo; `nil` if it is now removed.
  package var todo: Todo?
  /// The list of the todo; `nil` if it is the list in the request.
  package var list: TodoListKey?
  /// The results for the other todos, if a group of todos was changed in one step.
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

  /// The results for all changed todos, starting with this one.
  package var all: [RestoredTodo] {
    var first = self
    first.others = []
    return [first] + others
  }

  /// The title and the number of other todos, for a message such as `Buy milk and 2 more`.
  package var summary: String { others.isEmpty ? title : "\(title) and \(others.count) more" }
}
