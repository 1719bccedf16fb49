import JSONRPC
import TodoModel

extension JSONWriter {
  /// A todo on the wire: all of it, or the wanted members.
  package mutating func todo(_ todo: Todo, fields: Set<TodoField>? = nil) {
    func wants(_ field: TodoField) -> Bool { fields?.contains(field) ?? true }
    object { writer in
      if wants(.id) { writer.member("id", todo.id.text) }
      if wants(.title) { writer.member("title", todo.content.title) }
      if wants(.note) { writer.member("note", todo.content.note) }
      if wants(.done) {
        writer.key("done")
        writer.bool(todo.content.isDone)
      }
      if wants(.version) {
        writer.key("version")
        writer.integer(todo.version)
      }
      if wants(.createdAt) { writer.member("createdAt", todo.createdAt) }
      if wants(.updatedAt) { writer.member("updatedAt", todo.updatedAt) }
      if wants(.source), let origin = todo.origin {
        writer.key("source")
        writer.origin(origin)
      }
      if wants(.sync) {
        writer.member("sync", todo.sync.rawValue)
        if let failure = todo.failure {
          writer.key("failure")
          writer.object { writer in
            writer.member("kind", failure.kind.rawValue)
            writer.member("message", failure.message)
          }
        }
      }
    }
  }

  private mutating func member(_ key: StaticString, _ text: String) {
    self.key(key)
    string(text)
  }

  private mutating func member(_ key: StaticString, _ time: Timestamp) {
    self.key(key)
    plainText { time.append(to: &$0) }
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
