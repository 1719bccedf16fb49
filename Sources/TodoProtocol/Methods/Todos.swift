import JSONRPC
import TodoModel

/// `listTodos`: what the store holds now.
package struct ListTodos: Sendable, Equatable {
  package var query: TodoQuery
  /// The members of each todo that are wanted; nil: all.
  package var fields: Set<TodoField>?

  init(_ params: Params) throws(RPCError) {
    query = TodoQuery(
      text: try params.optionalString("query"), isDone: try params.optionalBool("done"),
      offset: try params.optionalCount("offset") ?? 0,
      limit: try params.optionalCount("limit") ?? TodoQuery.limitDefault)
    fields = try params.optionalFields("fields")
  }

  package func result(_ page: TodoPage<Todo>) -> JSON {
    .object([
      "todos": .array(page.elements.map { JSON($0, fields: fields) }),
      "total": .integer(Int64(page.total)),
      "offset": .integer(Int64(page.offset)),
    ])
  }
}

/// `getTodo`.
package struct GetTodo: Sendable, Equatable {
  package var id: TodoID

  init(_ params: Params) throws(RPCError) { id = TodoID(try params.string("id")) }
}

/// `addTodo`.
package struct AddTodo: Sendable, Equatable {
  package var title: String
  package var note: String

  init(_ params: Params) throws(RPCError) {
    title = try params.string("title")
    note = try params.optionalString("note") ?? ""
  }
}

/// `editTodo`: what is absent stays as it is.
package struct EditTodo: Sendable, Equatable {
  package var id: TodoID
  package var title: String?
  package var note: String?
  package var isDone: Bool?
  package var version: Int64?

  init(_ params: Params) throws(RPCError) {
    id = TodoID(try params.string("id"))
    title = try params.optionalString("title")
    note = try params.optionalString("note")
    isDone = try params.optionalBool("done")
    version = try params.optionalInteger("version").map { Int64($0) }
  }
}

/// `removeTodo`.
package struct RemoveTodo: Sendable, Equatable {
  package var id: TodoID
  package var version: Int64?

  init(_ params: Params) throws(RPCError) {
    id = TodoID(try params.string("id"))
    version = try params.optionalInteger("version").map { Int64($0) }
  }
}

extension Params {
  fileprivate func optionalFields(_ key: String) throws(RPCError) -> Set<TodoField>? {
    guard let words = try optionalStrings(key) else { return nil }
    var fields: Set<TodoField> = []
    for (index, word) in words.enumerated() {
      guard let field = TodoField(rawValue: word) else {
        let known = TodoField.allCases.map(\.rawValue).joined(separator: ", ")
        throw invalid("\(key)[\(index)]", "expected one of \(known), got another string")
      }
      fields.insert(field)
    }
    return fields
  }
}
