import ScreenModel
import TodoModel

/// A list as the agenda needs it: the values to show, and a closure that performs actions on the
/// list.
package struct ListAccess {
  var key: TodoListKey
  /// Whether this is the list that the user has opened.
  var isOpen: Bool
  /// The screen in front of the list, such as the form for a todo; `nil` if there is none.
  var front: (any DescribableScreen)?
  /// Whether the user may only read the list.
  var isReadOnly: Bool
  /// The todos with drafts.
  var drafted: [DraftedTodo]
  /// The message that the list shows.
  var message: ScreenMessage?
  /// The number of times that the list was read or changed. If it grows, the agenda is read again.
  var readCount: Int
  /// The number of times that the user has reloaded or synced the list.
  var refreshCount: Int
  /// Performs an action on the list.
  var send: (TodoListWorkflow.Output) -> Void
}
