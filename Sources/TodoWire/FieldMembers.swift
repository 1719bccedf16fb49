import JSONRPC
import TodoModel

extension FieldValue: WrittenValue {
  /// The schema that allows any JSON value, because the type depends on the kind of the field.
  package static var schema: Schema { .anything }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .text(let text): writer.string(text)
    case .flag(let flag): writer.bool(flag)
    case .texts(let texts): texts.write(to: &writer)
    }
  }
}

extension FieldKind {
  package var schema: Schema {
    switch self {
    case .text: .string
    case .flag: .boolean
    case .texts: .array(.string)
    }
  }

  /// The name of the JSON type, for error messages.
  fileprivate var name: String {
    switch self {
    case .text: String.kind
    case .flag: Bool.kind
    case .texts: Texts.kind
    }
  }

  /// Reads the value of a member; returns `nil` if the member is missing or null.
  fileprivate func read(_ name: String, _ params: Params) throws(RPCError) -> FieldValue? {
    switch self {
    case .text: try String.read(name, params).map { .text($0) }
    case .flag: try Bool.read(name, params).map { .flag($0) }
    case .texts: try Texts.read(name, params).map { .texts($0.texts) }
    }
  }
}

/// A params object that contains values for fields of a todo.
package protocol FieldMembersOwner: DeclaredObject {
  /// The values for fields of a todo.
  var changes: FieldChanges { get set }
  /// Whether a member that is null removes the value of its field. Otherwise, a null member counts
  /// as missing.
  static var nullRemovesValue: Bool { get }
}

extension FieldMembersOwner {
  package static var nullRemovesValue: Bool { true }

  /// The members for the fields of a new todo.
  package static var newFields: [Member<Self>] {
    ContentField.setOnAdd.map { member($0, isRequired: $0.traits.isRequired) }
  }

  /// The members for the fields of a new todo, in a request that can contain an array of new todos
  /// instead. None of the members is required.
  package static var optionalNewFields: [Member<Self>] {
    ContentField.setOnAdd.map { member($0, isRequired: false) }
  }

  /// The members for the fields of an edit. If a member is missing, its field stays unchanged.
  package static var editedFields: [Member<Self>] {
    ContentField.allCases.map { field in
      let member = member(field, isRequired: false)
      return field.traits.editAdvice.map { member.described($0.description) } ?? member
    }
  }

  private static func member(_ field: ContentField, isRequired: Bool) -> Member<Self> {
    let (name, kind) = (field.rawValue, field.kind)
    let traits = field.traits
    let member = Member<Self>(
      name: name, isRequired: isRequired,
      schema: isRequired ? kind.schema : kind.schema.orNull
    ) { (params, owner) throws(RPCError) in
      if let value = try kind.read(name, params) {
        owner.changes.set(field, to: value)
      } else if isRequired {
        throw params.missing(name, kind.name)
      } else if Self.nullRemovesValue, field.isOptional, params.names.contains(name) {
        owner.changes.set(field, to: nil)
      }
    }.limited(to: traits.lengthMax)
    return traits.purpose.map { member.described($0.description) } ?? member
  }
}
