import TodoModel
import TodoWire
import TodoWorkflows

/// The result of `undo` or `redo`.
struct RestoredResult: WrittenObject {
  var restored: RestoredTodo
  var revision: Int64

  static let sample = RestoredResult(
    restored: RestoredTodo(id: TodoID(""), change: .add, title: "", todo: nil), revision: 0)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("id", restored.id)
    members.required("what", restored.change)
    members.required("title", restored.title)
    members.required("todo", restored.todo)
    members.optional("list", restored.list.map { TodoSource.wireName(of: $0) })
    members.optional(
      "others",
      restored.others.isEmpty ? nil : restored.others.map { OtherRestoredTodo(restored: $0) })
    members.required("revision", revision)
  }
}

/// Another todo that was changed by the same undo or redo.
private struct OtherRestoredTodo: WrittenObject {
  var restored: RestoredTodo

  static let definition: SchemaDefinition? = SchemaDefinition(
    "otherChange", "Another todo that the same undo or redo changed.")
  static let sample = OtherRestoredTodo(restored: RestoredResult.sample.restored)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("id", restored.id)
    members.required("what", restored.change)
    members.required("title", restored.title)
  }
}

extension RestoredResult: MethodResult {
  init?(_ outcome: TodoOutcome, at context: ResponseContext) {
    guard case .restored(let restored) = outcome else { return nil }
    self.init(restored: restored, revision: context.revision)
  }

  static func estimatedByteCount(of outcome: TodoOutcome) -> Int {
    guard case .restored(let restored) = outcome else { return 256 }
    return restored.todo?.estimatedByteCount ?? 256
  }
}
