import JSONRPC
import TodoModel

/// The members of a todo on the wire.
package enum TodoField: String, CaseIterable, Sendable {
  case id, title, note, done, version, createdAt, updatedAt, source, sync
}

extension JSON {
  /// A todo on the wire: all of it, or the wanted members.
  package init(_ todo: Todo, fields: Set<TodoField>? = nil) {
    var object = JSONObject()
    for field in TodoField.allCases where fields?.contains(field) ?? true {
      switch field {
      case .id: object["id"] = .string(todo.id.text)
      case .title: object["title"] = .string(todo.content.title)
      case .note: object["note"] = .string(todo.content.note)
      case .done: object["done"] = .bool(todo.content.isDone)
      case .version: object["version"] = .integer(todo.version)
      case .createdAt: object["createdAt"] = .string(todo.createdAt.description)
      case .updatedAt: object["updatedAt"] = .string(todo.updatedAt.description)
      case .source:
        guard let origin = todo.origin else { continue }
        object["source"] = .object([
          "url": .string(origin.url), "number": .integer(origin.number),
        ])
      case .sync: object["sync"] = .string(todo.sync.rawValue)
      }
    }
    self = .object(object)
  }

  fileprivate init(_ content: TodoContent, version: Int64? = nil) {
    var object: JSONObject = [
      "title": .string(content.title), "note": .string(content.note),
      "done": .bool(content.isDone),
    ]
    if let version { object["version"] = .integer(version) }
    self = .object(object)
  }
}

extension RPCError {
  /// A failure of the application on the wire: -32803, a sentence, and `data.kind`.
  package init(_ error: TodoError) {
    var data: JSONObject = ["kind": .string(error.kind.rawValue)]
    if !error.fields.isEmpty {
      data["fields"] = .array(
        error.fields.map {
          .object(["field": .string($0.field), "message": .string($0.message)])
        })
    }
    if let status = error.status { data["status"] = .integer(Int64(status)) }
    if let retryAt = error.retryAt { data["retryAt"] = .string(retryAt.description) }
    if let conflict = error.conflict {
      data["base"] = conflict.base.map { JSON($0) } ?? .null
      data["mine"] = JSON(conflict.mine)
      data["theirs"] = JSON(conflict.theirs, version: conflict.theirVersion)
    }
    self = .requestFailed(error.message, data: .object(data))
  }
}
