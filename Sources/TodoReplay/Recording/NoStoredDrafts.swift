import TodoModel

/// A store of drafts that is always empty, for recorded sessions.
struct NoStoredDrafts: DraftStore {
  var hasDraftFiles: Bool { false }
  func importDrafts() {}
  func drafts(in list: TodoListKey) -> [StoredDraft] { [] }
  func drafts(of id: TodoID, in list: TodoListKey) -> [StoredDraft] { [] }
  func draftedTodos(in list: TodoListKey) -> [DraftedTodo] { [] }
  func discardDrafts(_ numbers: [Int64], in list: TodoListKey) {}
}
