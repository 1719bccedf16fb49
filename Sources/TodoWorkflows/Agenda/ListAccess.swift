import ScreenModel
import TodoModel

/// A list of the agenda, with the values that it shows and a closure that changes the list.
package struct ListAccess {
  var key: TodoListKey
  /// Whether the list is on the screen.
  var isOpen: Bool
  /// The form of a todo, or another screen in front of the list.
  var front: (any DescribableScreen)?
  /// Whether the user may only read the list.
  var isReadOnly: Bool
  /// The todos with drafts.
  var drafted: [DraftedTodo]
  /// The message of the list's screen.
  var message: ScreenMessage?
  /// The number of times that the list was read or changed.
  var readCount: Int
  /// The number of times that the user has reloaded or synced the list.
  var refreshCount: Int
  /// Performs an action on the list.
  var send: (TodoListWorkflow.Output) -> Void
}
