import ScreenModel
import TodoModel

/// A list as the agenda shows and changes it.
package struct ListAccess {
  var key: TodoListKey
  /// Whether the list is on the screen.
  var isOpen: Bool
  /// The form of a todo, or another screen in front of the list.
  var front: (any DescribableScreen)?
  /// The todos with drafts.
  var drafted: [DraftedTodo]
  /// The message of the list's screen.
  var message: ScreenMessage?
  /// Increments whenever the list was read again.
  var readCount: Int
  /// Performs an action on the list.
  var send: (TodoListWorkflow.Output) -> Void
}
