import JSONRPC
import TodoModel

extension JSONWriter {
  /// A todo on the wire: all of it, or the wanted members.
  package mutating func todo(_ todo: Todo, fields: Set<TodoField>? = nil) {
    object { writer in
      for field in TodoField.allCases where fields?.contains(field) ?? true {
        if field == .source, todo.origin == nil { continue }
        writer.key(field.rawValue)
        switch field {
        case .id: writer.string(todo.id.text)
        case .title: writer.string(todo.content.title)
        case .note: writer.string(todo.content.note)
        case .done: writer.bool(todo.content.isDone)
        case .version: writer.integer(todo.version)
        case .createdAt: writer.string(todo.createdAt.description)
        case .updatedAt: writer.string(todo.updatedAt.description)
        case .source:
          if let origin = todo.origin { writer.origin(origin) }
        case .sync: writer.string(todo.sync.rawValue)
        }
      }
    }
  }

  private mutating func origin(_ origin: TodoOrigin) {
    object { writer in
      writer.key("url")
      writer.string(origin.url)
      writer.key("number")
      writer.integer(origin.number)
    }
  }
}

extension JSON {
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
