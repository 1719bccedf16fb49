import JSONRPC

/// The schema of a value on the wire: those parts of JSON Schema 2020-12 that the messages need.
public indirect enum Schema: Sendable {
  case anything
  case null
  case boolean
  case string
  /// A string that contains a time in the format of RFC 3339, in UTC.
  case time
  case integer(least: Int?)
  /// A constant value.
  case constant(JSON)
  /// One of several words. Later versions can add words if the set is open.
  case words([String], isOpen: Bool)
  case array(Schema)
  /// An object with arbitrary keys. All its values have the same schema.
  case map(Schema)
  /// A value of one of several schemas. Later versions can add schemas if the set is open.
  case anyOf([Schema], isOpen: Bool)
  case object(ObjectSchema)
  /// A schema that is defined once, and referred to by its name.
  case named(SchemaDefinition, Schema)

  public static let integer = Schema.integer(least: nil)

  /// Returns this schema as a definition; the unchanged schema if `definition` is `nil`.
  public func named(_ definition: SchemaDefinition?) -> Schema {
    definition.map { .named($0, self) } ?? self
  }

  /// This schema, extended to accept null.
  public var orNull: Schema { .anyOf([self, .null], isOpen: false) }
}

/// A type whose values have a schema.
public protocol SchemaValue: SendableMetatype {
  static var schema: Schema { get }
}

/// The schema of an object with declared members.
public struct ObjectSchema: Sendable {
  public struct Member: Sendable {
    public var name: String
    public var schema: Schema
    public var isRequired: Bool
    public var description: String?

    public init(name: String, schema: Schema, isRequired: Bool, description: String? = nil) {
      self.description = description
      self.name = name
      self.schema = schema
      self.isRequired = isRequired
    }
  }

  public var members: [Member] = []
  /// Whether the object has only the declared members. Objects that the server reads are not
  /// closed, because the server ignores unknown members.
  public var isClosed: Bool

  public init(members: [Member] = [], isClosed: Bool) {
    self.members = members
    self.isClosed = isClosed
  }
}

/// The name and the description of a definition.
public struct SchemaDefinition: Sendable {
  public var name: String
  public var description: String

  public init(_ name: String, _ description: String) {
    (self.name, self.description) = (name, description)
  }
}

// MARK: JSON Schema

/// The definitions to which a schema refers.
public struct SchemaDefinitions {
  public private(set) var schemas = JSONObject()

  public init() {}

  public mutating func add(_ name: String, _ schema: JSON) {
    precondition(
      schemas[name] == nil || schemas[name] == schema,
      "two different things are called \(name): give one of them another name")
    schemas[name] = schema
  }

  public static func reference(to name: String) -> JSON {
    // Names must not contain `~` and `/`, which have a meaning in JSON pointers.
    ["$ref": .string("#/$defs/" + name)]
  }
}

extension Schema {
  /// Returns the schema as JSON. The definitions that the JSON refers to are added to
  /// `definitions`.
  public func json(_ definitions: inout SchemaDefinitions) -> JSON {
    switch self {
    case .anything: return true
    case .null: return ["type": "null"]
    case .boolean: return ["type": "boolean"]
    case .string: return ["type": "string"]
    case .time: return ["type": "string", "format": "date-time"]
    case .integer(nil): return ["type": "integer"]
    case .integer(let least?): return ["type": "integer", "minimum": .integer(Int64(least))]
    case .constant(let value): return ["const": value]
    case .words(let words, let isOpen):
      return Self.marked(["enum": .array(words.map { .string($0) })], isOpen)
    case .array(let element): return ["type": "array", "items": element.json(&definitions)]
    case .map(let value):
      return ["type": "object", "additionalProperties": value.json(&definitions)]
    case .anyOf(let schemas, let isOpen):
      return Self.marked(["anyOf": .array(schemas.map { $0.json(&definitions) })], isOpen)
    case .object(let object): return object.json(&definitions)
    case .named(let definition, let schema):
      definitions.add(
        definition.name, .object(schema.json(&definitions).described(definition.description)))
      return SchemaDefinitions.reference(to: definition.name)
    }
  }

  private static func marked(_ schema: JSONObject, _ isOpen: Bool) -> JSON {
    var schema = schema
    if isOpen { schema["x-open"] = true }
    return .object(schema)
  }
}

extension ObjectSchema {
  fileprivate func json(_ definitions: inout SchemaDefinitions) -> JSON {
    var properties = JSONObject()
    for member in members {
      let schema = member.schema.json(&definitions)
      properties[member.name] = member.description.map { .object(schema.described($0)) } ?? schema
    }
    var json: JSONObject = ["type": "object", "properties": .object(properties)]
    let required = members.filter(\.isRequired)
    if !required.isEmpty { json["required"] = .array(required.map { .string($0.name) }) }
    if isClosed { json["additionalProperties"] = false }
    return .object(json)
  }
}

extension JSON {
  /// Returns the schema with a description. JSON Schema allows a description beside a `$ref`.
  public func described(_ description: String) -> JSONObject {
    var schema = objectValue ?? JSONObject()
    schema["description"] = .string(description)
    return schema
  }
}
