import TodoModel

/// The entries (todos and plain lines) that earlier saves have added, and whose lines are not in
/// the current save. Only lines that are recorded for the generation (recorded version of the
/// document) of the current save are included. The user may have continued to type in such a line.
/// The current save then contains a longer version of the line (`LineContinuation`).
struct AppliedLines {
  /// The maximum number of entries. If there are more, none is compared with the current save.
  static let countMax = 1_000

  private var todos: [StoredTodo] = []
  private var texts: [(id: Int64, text: String)] = []

  init(before save: DocumentSave, in document: Int64, of list: Int64, tables: TodoTables)
    throws(TodoError)
  {
    guard save.generation != 0 else { return }
    let (present, ids) = (save.additions, Set(save.changes.compactMap(\.todo)))
    let entries = try tables.appliedLines.additions(to: save.generation, in: document)
      .filter { line in
        !present.contains(line.addition) && !(line.entry.todoID.map(ids.contains) ?? false)
      }.map(\.entry)
    guard entries.count <= Self.countMax else { return }
    for entry in Set(entries).sorted(by: { $0.text < $1.text }) {
      switch entry {
      case .todo(let id):
        guard let todo = try tables.todos.stored(id, in: list) else { continue }
        if !todo.isRemoved, todo.conflict == nil { todos.append(todo) }
      case .text(let number):
        guard let text = try tables.plainLines.text(number, in: list) else { continue }
        texts.append((number, text))
      }
    }
  }

  /// Removes and returns the todo whose content is a shorter version of `content`; `nil` if there
  /// is none.
  mutating func popTodo(before content: TodoContent) -> StoredTodo? {
    let index = todos.firstIndex { LineContinuation.isGrown(content, from: $0.todo.content) }
    return index.map { todos.remove(at: $0) }
  }

  mutating func popText(before content: TodoContent) -> Int64? {
    popText { LineContinuation.isGrown(content, from: $0) }
  }

  mutating func popText(before text: String) -> Int64? {
    popText { LineContinuation.isGrown(text, from: $0) }
  }

  private mutating func popText(where isBefore: (String) -> Bool) -> Int64? {
    texts.firstIndex { isBefore($0.text) }.map { texts.remove(at: $0).id }
  }
}
