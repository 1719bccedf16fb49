import JSONRPC
import TodoModel

/// The declaration of a member of a params object: its name, its schema, and a closure that stores
/// its value in the object.
///
/// The parser, the error messages and the schema all follow from this declaration.
public struct Member<Owner>: Sendable {
  public let name: String
  public let isRequired: Bool
  public let schema: Schema
  /// The description of the member in the schema; `nil` for none.
  public private(set) var description: String?
  /// The maximum number of characters that the schema states for the value; `nil` for no limit.
  public private(set) var lengthMax: Int?
  public let read: @Sendable (Params, inout Owner) throws(RPCError) -> Void

  /// Creates a member that is required.
  public static func required<Value: MemberValue>(
    _ name: String, _ set: @escaping @Sendable (inout Owner, Value) -> Void
  ) -> Member {
    Member(name: name, isRequired: true, schema: Value.schema) {
      (params, owner) throws(RPCError) in
      guard let value = try Value.read(name, params) else { throw params.missing(name, Value.kind) }
      set(&owner, value)
    }
  }

  /// Creates a member that can be missing or null.
  public static func optional<Value: MemberValue>(
    _ name: String, _ set: @escaping @Sendable (inout Owner, Value) -> Void
  ) -> Member {
    Member(name: name, isRequired: false, schema: Value.schema.orNull) {
      (params, owner) throws(RPCError) in
      if let value = try Value.read(name, params) { set(&owner, value) }
    }
  }
}

extension Member {
  init(
    name: String, isRequired: Bool, schema: Schema,
    read: @escaping @Sendable (Params, inout Owner) throws(RPCError) -> Void
  ) {
    self.name = name
    self.isRequired = isRequired
    self.schema = schema
    self.read = read
  }

  /// Returns a copy of the member with a description.
  public func described(_ text: String) -> Member {
    var member = self
    member.description = text
    return member
  }

  /// Returns a copy of the member with a maximum number of characters.
  public func limited(to lengthMax: Int?) -> Member {
    var member = self
    member.lengthMax = lengthMax
    return member
  }

  /// Creates a member that is declared only for the schema. The server ignores its value.
  public static func unread<Value: SchemaValue>(_ name: String, _ value: Value.Type) -> Member {
    Member(name: name, isRequired: false, schema: Value.schema.orNull) { _, _ in }
  }
}

/// A type for JSON objects whose members are declared as a list of `Member` values.
public protocol DeclaredObject: SchemaValue {
  init()
  static var members: [Member<Self>] { get }

  /// The name and the description of the object's definition, to which the schema refers at each
  /// use of the object. `nil` for no definition: each use then repeats the schema of the object.
  static var definition: SchemaDefinition? { get }
}

extension DeclaredObject {
  public static var definition: SchemaDefinition? { nil }

  /// The schema of the object. It is open: the server ignores unknown members.
  public static var schema: Schema {
    let members = members.map {
      ObjectSchema.Member(
        name: $0.name, schema: $0.schema, isRequired: $0.isRequired, description: $0.description)
    }
    return Schema.object(ObjectSchema(members: members, isClosed: false)).named(definition)
  }

  /// Reads the members in the order of their declarations.
  ///
  /// - Throws: `invalidParams` for the first invalid member.
  public init(_ params: Params) throws(RPCError) {
    self.init()
    for member in Self.members { try member.read(params, &self) }
  }
}

/// A type for values that can be read from a member of a JSON object.
public protocol MemberValue: SchemaValue {
  /// The name of the JSON type, for error messages.
  static var kind: String { get }
  /// Reads the value of a member; returns `nil` if the member is missing or null.
  static func read(_ name: String, _ params: Params) throws(RPCError) -> Self?
}

extension Params {
  func missing(_ name: String, _ kind: String) -> RPCError {
    names.contains(name)
      ? invalid(name, "expected \(kind), got null") : invalid(name, "missing, expected \(kind)")
  }
}

extension String: MemberValue {
  public static var kind: String { "string" }
  public static func read(_ name: String, _ params: Params) throws(RPCError) -> String? {
    try params.optionalString(name)
  }
}

extension Bool: MemberValue {
  public static var kind: String { "boolean" }
  public static func read(_ name: String, _ params: Params) throws(RPCError) -> Bool? {
    try params.optionalBool(name)
  }
}

extension Int: MemberValue {
  public static var kind: String { "integer" }
  public static func read(_ name: String, _ params: Params) throws(RPCError) -> Int? {
    try params.optionalInteger(name)
  }
}

extension Secret: MemberValue {
  public static var schema: Schema { .string }
  public static var kind: String { "string" }
  package static func read(_ name: String, _ params: Params) throws(RPCError) -> Secret? {
    guard var text = try params.optionalString(name) else { return nil }
    return Secret(wiping: &text)
  }
}

extension TodoID: MemberValue {
  public static var kind: String { "string" }
  package static func read(_ name: String, _ params: Params) throws(RPCError) -> TodoID? {
    try params.optionalString(name).map { TodoID($0) }
  }
}

extension RequestID: MemberValue {
  public static var kind: String { "integer or string" }
  public static func read(_ name: String, _ params: Params) throws(RPCError) -> RequestID? {
    try params.optionalRequestID(name)
  }
}

/// A count: an integer that is not negative.
public struct Count: MemberValue {
  public var value: Int

  public static var schema: Schema { .integer(least: 0) }
  public static var kind: String { "integer" }
  public static func read(_ name: String, _ params: Params) throws(RPCError) -> Count? {
    guard let number = try params.optionalInteger(name) else { return nil }
    guard number >= 0 else {
      throw params.invalid(name, "expected an integer of at least 0, got \(number)")
    }
    return Count(value: number)
  }
}

/// A JSON object whose keys are the names of fields and whose values are texts.
public struct FieldValues: MemberValue {
  public var texts: [String: String]

  public static var schema: Schema { .map(.string) }
  public static var kind: String { "object" }
  public static func read(_ name: String, _ params: Params) throws(RPCError) -> FieldValues? {
    guard let object = try params.optionalObject(name) else { return nil }
    return FieldValues(texts: try object.stringsByName())
  }
}

/// A JSON array of texts.
public struct Texts: MemberValue {
  public var texts: [String]

  public static var schema: Schema { .array(String.schema) }

  public static var kind: String { "array" }
  public static func read(_ name: String, _ params: Params) throws(RPCError) -> Texts? {
    try params.optionalStrings(name).map { Texts(texts: $0) }
  }
}

/// The value of a member that is itself an object with declared members.
public struct Nested<Object: DeclaredObject>: MemberValue {
  public var object: Object

  public static var schema: Schema { Object.schema }
  public static var kind: String { "object" }
  public static func read(_ name: String, _ params: Params) throws(RPCError) -> Nested? {
    guard let object = try params.optionalObject(name) else { return nil }
    return Nested(object: try Object(object))
  }
}

/// A type whose values are represented by a fixed set of words in a request.
public protocol MemberEnumValue: MemberValue {
  /// A description of the expected values, for error messages.
  static var expected: String { get }
  static var words: [String] { get }
  /// The name and the description of the definition of the words, to which the schema refers at
  /// each use of the words. `nil` for no definition: each use then lists the words.
  static var definition: SchemaDefinition? { get }
  init?(word: String)
}

extension MemberEnumValue {
  public static var definition: SchemaDefinition? { nil }
  public static var schema: Schema {
    Schema.words(words, isOpen: false).named(definition)
  }
  public static var kind: String { "string" }
  public static func read(_ name: String, _ params: Params) throws(RPCError) -> Self? {
    guard let word = try params.optionalString(name) else { return nil }
    guard let value = Self(word: word) else {
      throw params.invalid(name, "expected \(expected), got another string")
    }
    return value
  }
}

/// A set of values that a request contains as an array of words.
public struct EnumValueSet<Word: MemberEnumValue & Hashable>: MemberValue {
  public var words: Set<Word>

  public static var schema: Schema { .array(Word.schema) }
  public static var kind: String { "array" }
  public static func read(_ name: String, _ params: Params) throws(RPCError) -> EnumValueSet? {
    guard let texts = try params.optionalStrings(name) else { return nil }
    var words: Set<Word> = []
    for (index, text) in texts.enumerated() {
      guard let word = Word(word: text) else {
        throw params.invalid(
          "\(name)[\(index)]", "expected \(Word.expected), got another string")
      }
      words.insert(word)
    }
    return EnumValueSet(words: words)
  }
}
