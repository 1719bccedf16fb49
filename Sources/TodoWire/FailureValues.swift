import JSONRPC
import TodoModel

/// The `data` of the error response to a failed operation.
extension TodoError: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "failure", "Details of a failed request, by its kind.")
  package static let sample = TodoError(.storage, "")

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("kind", kind)
    members.optional("item", item)
    members.optional("fields", fields.isEmpty ? nil : fields)
    members.optional("status", status)
    members.optional("retryAt", retryAt)
    members.optional("base", conflict.map(\.base))
    members.optional(
      "mine", conflict.map { MyContent(content: $0.mine, isRemoved: $0.isRemovedInMine) })
    members.optional(
      "theirs",
      conflict.map {
        TheirContent(
          content: $0.theirs, version: $0.theirVersion, isRemoved: $0.isRemovedInTheirs)
      })
  }
}

extension ErrorKind: WrittenEnumValue {
  package static let isOpen = true
}

extension FieldProblem: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "fieldProblem", "A field with an invalid value.")
  package static let sample = FieldProblem(field: "", message: "")

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("field", field)
    members.required("message", message)
  }
}
