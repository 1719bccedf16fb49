import JSONRPC
import TodoModel
import TodoWire

/// The description of a tool in `tools/list`, generated from the declarations of its arguments and
/// result.
///
/// Descriptions use tokens in each session of an assistant, so a schema has only what a caller
/// needs.
struct ToolDescription {
  let tool: any Tool.Type
  var options = ToolsOptions(name: "", version: "", hasSource: true)

  func json(_ revision: Revision) -> JSON {
    var json: JSONObject = ["name": .string(tool.name)]
    if revision.hasStructuredContent { json["title"] = .string(tool.title) }
    json["description"] = .string(tool.summary)
    json["inputSchema"] = Self.input(tool)
    if revision.hasStructuredContent { json["outputSchema"] = Self.output(tool) }
    if revision.hasAnnotations {
      json["annotations"] = tool.effect.annotations(
        isOpenWorld: options.reachesNetwork(tool.effect))
    }
    return .object(json)
  }

  /// Returns the schema of the arguments. The schema allows no undeclared members, so that a
  /// misspelled name is reported.
  private static func input<Kind: Tool>(_ tool: Kind.Type) -> JSON {
    var properties = JSONObject()
    for member in Kind.members {
      var schema = member.schema.argument
      if let lengthMax = member.lengthMax { schema["maxLength"] = .integer(Int64(lengthMax)) }
      if let description = member.description { schema["description"] = .string(description) }
      properties[member.name] = .object(schema)
    }
    var json: JSONObject = ["type": "object", "properties": .object(properties)]
    let required = Kind.members.filter(\.isRequired)
    if !required.isEmpty { json["required"] = .array(required.map { .string($0.name) }) }
    json["additionalProperties"] = false
    return .object(json)
  }

  /// Returns the schema of the result. No member is required, because a failed call has only
  /// `error`.
  private static func output<Kind: Tool>(_ tool: Kind.Type) -> JSON {
    var schema = Kind.Result.schema.brief(depth: Kind.resultDepth)
    if case .object(var members)? = schema["properties"] {
      members["error"] = ["type": "object"]
      schema["properties"] = .object(members)
    }
    return .object(schema)
  }
}

extension Schema {
  /// The schema of an argument. An optional argument may also be `null`.
  fileprivate var argument: JSONObject {
    switch self {
    case .words(let words, _):
      return ["type": "string", "enum": .array(words.map { .string($0) })]
    case .array(let element):
      var schema: JSONObject = ["type": "array", "items": .object(element.argument)]
      if element.isNeeded { schema["minItems"] = 1 }
      return schema
    case .map: return ["type": "object"]
    case .named(_, let schema): return schema.argument
    case .anyOf(let schemas, isOpen: false) where schemas.count == 2:
      guard let first = schemas.first, case .null? = schemas.last else { return [:] }
      return first.argument.orNull
    case .anything, .null, .boolean, .string, .time, .integer, .constant, .anyOf, .object:
      var definitions = SchemaDefinitions()
      return json(&definitions).objectValue ?? [:]
    }
  }

  /// Whether an array with elements of this schema must have at least one element. `true` for the
  /// selected members in `fields` and the new todos in `todos`; `false` for field values such as
  /// labels.
  private var isNeeded: Bool {
    switch self {
    case .words, .map: true
    case .named(_, let schema): schema.isNeeded
    case .anything, .null, .boolean, .string, .time, .integer, .constant, .array, .anyOf, .object:
      false
    }
  }

  /// Returns the schema of a part of a result, reduced to names and types. Objects that are nested
  /// deeper than `depth` levels are described without their members.
  fileprivate func brief(depth: Int) -> JSONObject {
    switch self {
    case .anything, .constant(_): return [:]
    case .null: return ["type": "null"]
    case .boolean: return ["type": "boolean"]
    case .string, .time, .words: return ["type": "string"]
    case .integer: return ["type": "integer"]
    case .array(let element):
      return ["type": "array", "items": .object(element.brief(depth: depth))]
    case .map: return ["type": "object"]
    case .named(_, let schema): return schema.brief(depth: depth)
    case .anyOf(let schemas, isOpen: false) where schemas.count == 2:
      guard let first = schemas.first, case .null? = schemas.last else { return [:] }
      return first.brief(depth: depth).orNull
    case .anyOf: return [:]
    case .object(let object):
      guard depth > 0 else { return ["type": "object"] }
      var properties = JSONObject()
      for member in object.members {
        properties[member.name] = .object(member.schema.brief(depth: depth - 1))
      }
      return ["type": "object", "properties": .object(properties)]
    }
  }
}

extension JSONObject {
  /// The schema, changed so that it also accepts `null`.
  fileprivate var orNull: JSONObject {
    var schema = self
    if let type = schema["type"] { schema["type"] = .array([type, "null"]) }
    if case .array(let words)? = schema["enum"] { schema["enum"] = .array(words + [.null]) }
    return schema
  }
}
