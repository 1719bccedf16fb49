import JSONRPC
import TodoModel

/// `listTodos`: what the store holds now.
package struct ListTodos: Sendable, Equatable {
  package var query: TodoQuery
  /// The members of each todo that are wanted; nil: all.
  package var fields: Set<TodoField>?
  /// Whether the caller said how many todos are enough.
  private var hasLimit: Bool

  init(_ params: Params) throws(RPCError) {
    let limit = try params.optionalCount("limit")
    fields = try params.optionalFields("fields")
    hasLimit = limit != nil
    query = TodoQuery(
      text: try params.optionalString("query"), isDone: try params.optionalBool("done"),
      sort: try params.optionalSort("sort"), offset: try params.optionalCount("offset") ?? 0,
      limit: limit ?? TodoQuery.limitDefault, includesNotes: fields?.contains(.note) ?? true)
  }

  package func writeResult(_ page: TodoPage<Todo>, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.key("todos")
      writer.array { writer in
        for todo in page.elements { writer.todo(todo, fields: fields) }
      }
      writer.key("total")
      writer.integer(page.total)
      writer.key("offset")
      writer.integer(page.offset)
      let hasMore = page.offset < page.total - page.elements.count
      guard page.isTruncated || !hasLimit && hasMore else { return }
      writer.key("truncated")
      writer.bool(true)
    }
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

extension TodoSort {
  /// The words of `sort`: a key, or a key with `-` before it for the other way round.
  static let words = Key.allCases.flatMap { [$0.rawValue, "-" + $0.rawValue] }

  fileprivate init?(word: String) {
    let isDescending = word.hasPrefix("-")
    guard let key = Key(rawValue: isDescending ? String(word.dropFirst()) : word) else {
      return nil
    }
    self.init(key, isDescending: isDescending)
  }
}

extension Params {
  fileprivate func optionalSort(_ key: String) throws(RPCError) -> TodoSort {
    guard let word = try optionalString(key) else { return TodoSort() }
    guard let sort = TodoSort(word: word) else {
      let known = TodoSort.words.joined(separator: ", ")
      throw invalid(key, "expected one of \(known), got another string")
    }
    return sort
  }

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
