/// What an undo or a redo has left.
package struct RestoredTodo: Sendable, Equatable {
  package var id: TodoID
  /// The todo as it is now; nil when it is gone now.
  package var todo: Todo?

  package init(id: TodoID, todo: Todo?) {
    self.id = id
    self.todo = todo
  }
}
