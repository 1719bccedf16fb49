import JSONRPC
import TodoModel
import TodoWire

/// A tool as `tools/list` describes it, from the declarations that it is read and answered by.
struct ToolDescription {
  let tool: any Tool.Type

  func json(_ revision: Revision) -> JSON {
    var json: JSONObject = ["name": .string(tool.name)]
    if revision.hasStructuredContent { json["title"] = .string(tool.title) }
    json["description"] = .string(tool.summary)
    json["inputSchema"] = Self.input(tool)
    if revision.hasStructuredContent { json["outputSchema"] = Self.output(tool) }
    if revision.hasAnnotations { json["annotations"] = tool.effect.annotations }
    return .object(json)
  }

  /// Closed, so that a misspelt argument is noticed; what is optional is left out rather than null.
  private static func input<Kind: Tool>(_ tool: Kind.Type) -> JSON {
    var definitions = SchemaDefinitions()
    var properties = JSONObject()
    for member in Kind.members {
      var schema = member.schema.withoutNull.json(&definitions)
      if let description = member.description, case .object(var object) = schema {
        object["description"] = .string(description)
        schema = .object(object)
      }
      properties[member.name] = schema.withTypesOfWords
    }
    var json: JSONObject = ["type": "object", "properties": .object(properties)]
    let required = Kind.members.filter(\.isRequired)
    if !required.isEmpty { json["required"] = .array(required.map { .string($0.name) }) }
    json["additionalProperties"] = false
    return .object(json)
  }

  private static func output<Kind: Tool>(_ tool: Kind.Type) -> JSON {
    var definitions = SchemaDefinitions()
    guard case .object(var json) = Kind.Result.schema.json(&definitions) else { return [:] }
    if !definitions.schemas.isEmpty { json["$defs"] = .object(definitions.schemas) }
    return .object(json)
  }
}

extension JSON {
  /// The same schema, in which a set of words says that they are texts: some clients ask for it.
  fileprivate var withTypesOfWords: JSON {
    guard case .object(let object) = self else { return self }
    var typed = JSONObject()
    if object["enum"] != nil { typed["type"] = "string" }
    for (key, value) in object.members {
      typed[key] = key == "items" ? value.withTypesOfWords : value
    }
    return .object(typed)
  }
}

extension Schema {
  /// The same, where it may also be null and need not be said.
  fileprivate var withoutNull: Schema {
    guard case .anyOf(let schemas, isOpen: false) = self, schemas.count == 2,
      let first = schemas.first, case .null? = schemas.last
    else { return self }
    return first
  }
}
