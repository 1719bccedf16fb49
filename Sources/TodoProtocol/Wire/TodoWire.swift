import JSONRPC
import TodoModel

extension Todo: WrittenObject {
  static let schemaName: String? = "todo"
  static let sample = Todo(
    id: TodoID(""), content: .sample, version: 0, createdAt: .sample, updatedAt: .sample,
    origin: nil, sync: .local)

  func writeMembers(to members: inout some MemberOutput) {
    SelectedTodo(todo: self, fields: nil).writeMembers(to: &members)
  }
}

/// The members of a todo that are wanted; all of them, where nothing is said.
struct SelectedTodo: WrittenObject {
  var todo: Todo
  var fields: Set<TodoField>?

  static let schemaName: String? = "selectedTodo"
  static let sample = SelectedTodo(todo: .sample, fields: [])

  func writeMembers(to members: inout some MemberOutput) {
    members.wanted("id", wants(.id), todo.id)
    members.wanted("title", wants(.title), todo.content.title)
    members.wanted("note", wants(.note), todo.content.note)
    members.wanted("done", wants(.done), todo.content.isDone)
    members.wanted("version", wants(.version), todo.version)
    members.wanted("createdAt", wants(.createdAt), todo.createdAt)
    members.wanted("updatedAt", wants(.updatedAt), todo.updatedAt)
    members.optional("source", wants(.source) ? todo.origin : nil)
    members.wanted("sync", wants(.sync), todo.sync)
    members.optional("failure", wants(.sync) ? todo.failure : nil)
  }

  private func wants(_ field: TodoField) -> Bool { fields?.contains(field) ?? true }
}

extension SyncFailure: WrittenObject {
  static let sample = SyncFailure(kind: .forbidden, message: "")

  func writeMembers(to members: inout some MemberOutput) {
    members.required("kind", kind)
    members.required("message", message)
  }
}

extension TodoOrigin: WrittenObject {
  static let sample = TodoOrigin(url: "", number: 0)

  func writeMembers(to members: inout some MemberOutput) {
    members.required("url", url)
    members.required("number", number)
  }
}

extension SyncState: WrittenWord {}

extension Timestamp {
  fileprivate static let sample = Timestamp(milliseconds: 0)
}

// MARK: A side of a conflict

extension TodoContent: WrittenObject {
  static let schemaName: String? = "todoContent"
  static let sample = TodoContent(title: "", note: "", isDone: false)

  func writeMembers(to members: inout some MemberOutput) {
    members.required("title", title)
    members.required("note", note)
    members.required("done", isDone)
  }
}

/// What somebody else has made of a todo, and the version to name in what replaces it.
struct TheirContent: WrittenObject {
  var content: TodoContent
  var version: Int64

  static let sample = TheirContent(content: .sample, version: 0)

  func writeMembers(to members: inout some MemberOutput) {
    content.writeMembers(to: &members)
    members.required("version", version)
  }
}
