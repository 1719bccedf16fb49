/// A snapshot of a whole list in memory, which answers all reads.
package struct LoadedTodos: LocalReads {
  /// All todos, in the list's order.
  private let todos: [Todo]
  private let days: DayClock

  /// Creates a snapshot of the todos of a list.
  ///
  /// - Parameter days: The clock for the current day, to which queries such as `due:today` refer.
  package init(_ todos: [Todo], days: DayClock) {
    self.todos = todos
    self.days = days
  }

  package func todos(
    _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> TodoPage<Todo> {
    query.page(of: todos, try query.filter(on: days))
  }

  package func todo(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo {
    guard let todo = todos.first(where: { $0.id == id }) else { throw .todoNotFound }
    return todo
  }

  package func rows(
    _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> TodoPage<TodoRow> {
    var query = query
    if !query.includesPreviews { query.fields = [] }
    let page = query.page(of: todos, try query.filter(on: days))
    return TodoPage(
      elements: page.elements.map { TodoRow($0, hasPreview: query.includesPreviews) },
      total: page.total, offset: page.offset, isTruncated: page.isTruncated)
  }

  package func labels(in list: TodoListKey) throws(TodoError) -> [String] {
    var labels = LabelSet()
    for todo in todos where !todo.content.labels.isEmpty {
      labels = labels.union(todo.content.labels)
    }
    return Array(labels.texts.prefix(LabelField.suggestionsMax))
  }

  package func position(
    of id: TodoID, _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Int? {
    query.position(of: id, among: todos, try query.filter(on: days))
  }
}
