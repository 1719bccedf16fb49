import JSONRPC
import ScreenModel
import TodoWire

/// The params of a rendering that is sent as a patch: the changes since the last rendering.
struct PatchRendering: WrittenObject {
  let old: [Screen]
  /// The revision of the old screens.
  let base: Int64
  let new: [Screen]
  let revision: Int64

  static let definition: SchemaDefinition? = SchemaDefinition(
    "patchRendering", "The changes that lead from the last rendering to this one.")
  static let sample = PatchRendering(old: [], base: 0, new: [], revision: 0)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("revision", revision)
    members.required("base", base)
    members.required("patch", ScreenChanges(old: old, new: new))
  }
}

/// The steps of a patch that change the old screens into the new screens.
struct ScreenChanges: WrittenValue {
  let old: [Screen]
  let new: [Screen]

  static var schema: Schema { .array(PatchStep<PatchedValue>.schema) }

  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    ScreenPatch.writeSteps(from: old, to: new, to: &writer)
    writer.endArray()
  }
}

/// A step of a patch: an operation of JSON Patch (RFC 6902).
struct PatchStep<Value: WrittenValue>: WrittenObject {
  let operation: PatchOperation
  let path: PatchPath
  /// The new value; `nil` for a removal.
  let value: Value?

  static var definition: SchemaDefinition? {
    SchemaDefinition("patchStep", "One change of a rendering, as in JSON Patch.")
  }
  static var sample: PatchStep {
    PatchStep(operation: .remove, path: PatchPath(bytes: []), value: nil)
  }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("op", operation)
    members.required("path", path)
    members.optional("value", value)
  }
}

enum PatchOperation: String, WrittenEnumValue { case add, remove, replace }

/// The path of a patch step: a JSON pointer whose names need no escapes.
struct PatchPath: WrittenValue {
  let bytes: [UInt8]

  static var schema: Schema { .string }

  func write(to writer: inout JSONWriter) {
    writer.plainText(bytesMax: bytes.count) { room in
      room.copyBytes(from: bytes)
      return bytes.count
    }
  }
}

/// A value that a patch step can add or replace. The type is declared only for the schema.
enum PatchedValue: WrittenValue {
  static var schema: Schema {
    let parts: [any WrittenValue.Type] = [
      String.self, [String].self, Int.self, Bool.self, StackedScreen.self, ScreenBar.self,
      ScreenBody.self, ScreenMessage.self, [ScreenAction].self, ScreenAction.self, ScreenField.self,
      ListItems.self, ListItem.self, ListStatus.self,
    ]
    return .anyOf(parts.map { $0.schema }, isOpen: false)
  }

  func write(to writer: inout JSONWriter) {}
}
