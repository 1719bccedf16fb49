import JSONRPC
import ScreenModel
import TodoWire

/// The params of a rendering that is sent as a patch: the changes since the last rendering.
struct PatchRendering: WrittenObject {
  let old: [Screen]
  /// The revision of the old screens, to which the patch applies.
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
    PatchStep(operation: .remove, path: PatchPath(), value: nil)
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
  /// A member of an object, or an element of an array.
  enum Component {
    case name(StaticString)
    case index(Int)
  }

  var components: [Component] = []

  /// Creates the path of the whole value, which has no components. Reserves memory for the
  /// components of longer paths.
  init() { components.reserveCapacity(8) }

  static var schema: Schema { .string }

  private var bytesMax: Int {
    components.reduce(0) { sum, component in
      switch component {
      case .name(let name): sum + 1 + name.utf8CodeUnitCount
      case .index: sum + 20
      }
    }
  }

  /// Writes the path directly into the buffer of the output. It took 1,100 more instructions to
  /// join the components to a string before writing.
  func write(to writer: inout JSONWriter) {
    writer.plainText(bytesMax: bytesMax) { room in
      var count = 0
      for component in components {
        room[count] = UInt8(ascii: "/")
        count += 1
        switch component {
        case .name(let name):
          let bytes = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
          UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: bytes)
          count += bytes.count
        case .index(let index) where index < 10:
          room[count] = UInt8(ascii: "0") + UInt8(index)
          count += 1
        case .index(let index):
          for digit in String(index).utf8 {
            room[count] = digit
            count += 1
          }
        }
      }
      return count
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
