import JSONRPC
import ScreenModel
import TodoModel
import TodoWire
import TodoWorkflows

/// What `initialize` is answered with: what this server is, and what it can do.
struct InitializeResult: WrittenObject {
  static let protocolVersion = 1

  /// Of the program.
  var version: String

  static let sample = InitializeResult(version: "")

  func writeMembers(to members: inout some MemberOutput) {
    members.required("protocolVersion", Self.protocolVersion)
    members.required("schemaVersion", ProtocolSchema.version)
    members.required("serverInfo", ServerInfo(version: version))
    members.required("capabilities", ServerCapabilities())
  }
}

private struct ServerInfo: WrittenObject {
  var version: String

  static let sample = ServerInfo(version: "")

  func writeMembers(to members: inout some MemberOutput) {
    members.constant("name", "todo-server")
    members.required("version", version)
  }
}

private struct ServerCapabilities: WrittenObject {
  static let sample = ServerCapabilities()

  func writeMembers(to members: inout some MemberOutput) {
    members.required("methods", Methods.names)
    members.required("render", ServerRenderCapabilities())
  }
}

private struct ServerRenderCapabilities: WrittenObject {
  static let sample = ServerRenderCapabilities()

  func writeMembers(to members: inout some MemberOutput) {
    members.required("patch", true)
    members.required("window", true)
    members.required("frontOnly", true)
    members.required("preview", true)
  }
}

// MARK: Screens

/// What was asked for is on the screens.
struct Shown: WrittenObject {
  var revision: Int64

  static let sample = Shown(revision: 0)

  func writeMembers(to members: inout some MemberOutput) {
    members.required("revision", revision)
  }
}

/// Where an action has led.
struct Acted: WrittenObject {
  var outcome: ScreenPlace.Move
  var revision: Int64

  static let sample = Acted(outcome: .stays, revision: 0)

  func writeMembers(to members: inout some MemberOutput) {
    members.required("outcome", outcome)
    members.required("revision", revision)
  }
}

extension ScreenPlace.Move: WrittenWord {}

// MARK: Sessions

struct LoggedIn: WrittenObject {
  var name: String
  var revision: Int64

  static let sample = LoggedIn(name: "", revision: 0)

  func writeMembers(to members: inout some MemberOutput) {
    members.required("name", name)
    members.required("revision", revision)
  }
}

struct Registered: WrittenObject {
  var username: String
  var revision: Int64

  static let sample = Registered(username: "", revision: 0)

  func writeMembers(to members: inout some MemberOutput) {
    members.required("username", username)
    members.required("revision", revision)
  }
}

/// What a load that has ended left behind.
struct Loaded: WrittenObject {
  var total: Int
  var isComplete: Bool
  var source: String
  var revision: Int64

  static let sample = Loaded(total: 0, isComplete: true, source: "", revision: 0)

  func writeMembers(to members: inout some MemberOutput) {
    members.required("total", total)
    members.required("complete", isComplete)
    members.required("source", source)
    members.required("revision", revision)
  }
}

// MARK: Todos

/// A part of the list, and whether it was cut.
struct TodoPageResult: WrittenObject {
  var page: TodoPage<Todo>
  var query: TodoQuery

  static let sample = TodoPageResult(
    page: TodoPage(elements: [], total: 0, offset: 0), query: TodoQuery())

  private var isTruncated: Bool {
    page.isTruncated || !query.isLimited && page.offset < page.total - page.elements.count
  }

  func writeMembers(to members: inout some MemberOutput) {
    members.required(
      "todos", WrittenElements(page.elements) { SelectedTodo(todo: $0, fields: query.fields) })
    members.required("total", page.total)
    members.required("offset", page.offset)
    members.flag("truncated", isTruncated)
  }
}

struct FoundTodo: WrittenObject {
  var todo: Todo

  static let sample = FoundTodo(todo: .sample)

  func writeMembers(to members: inout some MemberOutput) {
    members.required("todo", todo)
  }
}

struct ChangedTodo: WrittenObject {
  var todo: Todo
  var revision: Int64

  static let sample = ChangedTodo(todo: .sample, revision: 0)

  func writeMembers(to members: inout some MemberOutput) {
    members.required("todo", todo)
    members.required("revision", revision)
  }
}

/// What `undo` or `redo` did.
struct RestoredResult: WrittenObject {
  var restored: RestoredTodo
  var revision: Int64

  static let sample = RestoredResult(
    restored: RestoredTodo(id: TodoID(""), change: .add, title: "", todo: nil), revision: 0)

  func writeMembers(to members: inout some MemberOutput) {
    members.required("id", restored.id)
    members.required("what", restored.change)
    members.required("title", restored.title)
    members.required("todo", restored.todo)
    members.required("revision", revision)
  }
}
