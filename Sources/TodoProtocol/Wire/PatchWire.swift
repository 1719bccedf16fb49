import JSONRPC
import ScreenModel
import TodoWire

/// A rendering, sent as the changes since the previous one.
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

/// The steps from old screens to new ones.
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

/// One step of a patch: an operation of JSON Patch (RFC 6902).
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

/// A JSON pointer, made of names that need no escaping.
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

/// The parts of a rendering that a step can add or replace.
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
