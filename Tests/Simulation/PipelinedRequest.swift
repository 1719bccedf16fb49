import JSONRPC
import TodoModel

/// A request that a client sends together with others, without waiting for the earlier responses.
struct PipelinedRequest {
  enum Kind {
    case add(NewTodo)
    case edit(Todo, TodoEdit)
    case remove(Todo)
    /// Undoes the addition that was sent just before.
    case undoAddition(NewTodo)
    case list
    case load(refresh: Bool)
    case sync
    case openList
    case logOut
    case logIn
  }

  let kind: Kind
  /// The list that is open after the request.
  let list: TodoListKey
  /// The versions of todos that a sync must send.
  var unsent: [TodoID: Int64] = [:]
  var id: Int64 = 0

  init(_ kind: Kind, in list: TodoListKey) { (self.kind, self.list) = (kind, list) }

  /// Whether the request is answered before all later requests, even those of another list. `false`
  /// for requests that wait for the network.
  var isAnsweredInOrder: Bool {
    switch kind {
    case .load, .sync: false
    case .add, .edit, .remove, .undoAddition, .list, .openList, .logOut, .logIn: true
    }
  }

  /// The words that the request may remove, even if it gets no response.
  var wordsAtRisk: Set<String> {
    switch kind {
    case .edit(let todo, _), .remove(let todo): Ledger.words(todo.content)
    case .undoAddition(let draft):
      Ledger.words(draft.content)
    case .add, .list, .load, .sync, .openList, .logOut, .logIn: []
    }
  }

  var method: String {
    switch kind {
    case .add: "addTodo"
    case .edit: "editTodo"
    case .remove: "removeTodo"
    case .undoAddition: "undo"
    case .list: "listTodos"
    case .load: "loadTodos"
    case .sync: "syncTodos"
    case .openList: "openList"
    case .logOut: "logout"
    case .logIn: "login"
    }
  }

  var params: JSONObject {
    switch kind {
    case .add(let draft):
      var params = JSONObject()
      params.add(draft)
      return params
    case .edit(let todo, let edit):
      var params: JSONObject = ["id": .string(todo.id.text), "version": .integer(todo.version)]
      params.add(edit)
      return params
    case .remove(let todo):
      return ["id": .string(todo.id.text), "version": .integer(todo.version)]
    case .list: return ["limit": 10_000]
    case .load(let refresh): return ["refresh": .bool(refresh)]
    case .openList: return ["source": .string(list.wireName)]
    case .logIn: return ["name": .string(list.profile)]
    case .undoAddition, .sync, .logOut: return [:]
    }
  }

  /// The description of the request in the log of a run.
  var brief: String {
    switch kind {
    case .add(let draft): "addTodo \(draft.content.title)"
    case .edit(let todo, _), .remove(let todo): "\(method) \(todo.id)"
    case .openList, .logIn: "\(method) \(list.profile) \(list.wireName)"
    case .undoAddition, .list, .load, .sync, .logOut: method
    }
  }
}
