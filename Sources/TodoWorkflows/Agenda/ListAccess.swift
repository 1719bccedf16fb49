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
  /// Grows whenever the list was read again.
  var readCount: Int
  /// Does what a user of the list can do.
  var send: (TodoListWorkflow.Output) -> Void
}
