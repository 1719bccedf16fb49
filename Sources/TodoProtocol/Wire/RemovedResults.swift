import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// A page of the removed todos.
struct RemovedResult: WrittenObject {
  var page: RemovedPage

  static let sample = RemovedResult(page: RemovedPage([], offset: 0, limit: nil))

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("removed", page.todos)
    members.required("total", page.total)
    members.required("offset", page.offset)
  }
}

extension RemovedResult: MethodResult {
  init?(_ outcome: TodoOutcome, at context: ResponseContext) {
    guard case .answered(.removed(let page)) = outcome else { return nil }
    self.init(page: page)
  }

  static func estimatedByteCount(of outcome: TodoOutcome) -> Int {
    guard case .answered(.removed(let page)) = outcome else { return 256 }
    return page.todos.reduce(256) { $0 + 256 + $1.title.utf8.count }
  }
}

extension RemovedTodo: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "removedTodo", "A todo that left the list.")
  package static let sample = RemovedTodo(
    id: TodoID(""), title: "", origin: TodoOrigin(url: "", number: 0), reason: .removed,
    author: .local, removedAt: Timestamp(milliseconds: 0))

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("id", id)
    members.required("title", title)
    members.required("reason", reason)
    members.required("who", author)
    members.required("removedAt", removedAt)
    members.optional("source", origin)
  }
}

extension RemovalReason: WrittenEnumValue {
  package static var isOpen: Bool { true }
}
