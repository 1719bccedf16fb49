import TodoModel

/// The entries that saves of a document have removed.
///
/// If a later save shows a removed entry again, usually because the user has used the editor's
/// undo, the entry is put back.
package struct RemovedEntries: Sendable, Equatable {
  package private(set) var todos: Set<TodoID> = []
  package private(set) var texts: Set<Int64> = []

  /// The maximum number of entries. If a save would exceed the maximum, all earlier entries are
  /// forgotten, and their lines can no longer be put back.
  private static let countMax = 100_000

  package init() {}

  /// Forgets the todos that are in the list again, because they were restored. Otherwise, if
  /// another client later removed such a todo, a text that still has its line would seem to put it
  /// back.
  package mutating func forgetRestored(in contents: DocumentContents) {
    if !todos.isEmpty { todos.subtract(contents.todos.map(\.id)) }
  }

  /// Records the entries that a save has removed and that the list no longer has.
  ///
  /// - Returns: The recorded entries.
  package mutating func record(_ save: DocumentSave, _ contents: DocumentContents) -> Set<EntryID> {
    var (todos, texts) = (Set<TodoID>(), Set<Int64>())
    for change in save.changes {
      switch change {
      case .remove(let id, _, _): todos.insert(id)
      case .removeLine(let id): texts.insert(id)
      case .add, .addMarked, .edit, .settle, .keepConflict, .restore, .addLines, .respaceLine,
        .name, .move:
        continue
      }
    }
    guard !todos.isEmpty || !texts.isEmpty else { return [] }
    todos.subtract(contents.todos.map(\.id))
    texts.subtract(contents.texts.map(\.id))
    if self.todos.count + self.texts.count + todos.count + texts.count > Self.countMax {
      self = RemovedEntries()
    }
    self.todos.formUnion(todos)
    self.texts.formUnion(texts)
    return Set(todos.map { EntryID.todo($0) } + texts.map { EntryID.text($0) })
  }
}
