import JSONRPC
import TodoModel
import TodoWire

/// The JSON Schema (2020-12) of all messages. It is generated from the declarations of methods,
/// notifications and results.
///
/// Objects that the server sends have only the members in the schema. Objects that a front-end
/// sends can have other members, too, which the server ignores. Later versions can add elements to
/// a set that is marked with `x-open`.
///
/// The definitions have these names: `fromServer` and `fromFrontEnd` for all messages of one side;
/// `getTodoParams`, `getTodoRequest` and `getTodoResult` for the parts of a method;
/// `screenActParams` for the params of `screen/act`. No name contains a dot, because code
/// generators would take the text before the dot as the name of a module.
package enum ProtocolSchema {
  /// The version of the schema. The major number is the version of the protocol. The minor number
  /// grows with each addition.
  package static let version = "1.0"

  package static let json: JSON = {
    var definitions = SchemaDefinitions()
    let requests = Methods.all.map { addMethod($0.type, to: &definitions) }
    let results = Methods.names.map { SchemaDefinitions.reference(to: name($0, "result")) }
    let taken = NotificationName.allCases.map { addNotification($0, to: &definitions) }
    let sent = ServerNotification.allCases.map { addNotification($0, to: &definitions) }
    addResponses(results, to: &definitions)
    let responses = ["response", "errorResponse"].map { SchemaDefinitions.reference(to: $0) }
    addSide(
      "fromFrontEnd", "A message or batch of a front-end.", single: requests + taken,
      batched: requests + taken, to: &definitions)
    addSide(
      "fromServer", "A message or batch of the server.", single: responses + sent,
      batched: responses, to: &definitions)
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "The protocol of todo-server",
      "version": .string(version),
      "anyOf": .array(["fromServer", "fromFrontEnd"].map { SchemaDefinitions.reference(to: $0) }),
      "$defs": .object(definitions.schemas),
    ]
  }()

  /// Returns the name of the definition for a part of a method, such as `screenActParams`.
  package static func name(_ method: String, _ part: String) -> String {
    let words = method.split { $0 == "/" || $0 == "$" } + [part[...]]
    return words.dropFirst().reduce(String(words[0])) {
      $0 + $1.prefix(1).uppercased() + $1.dropFirst()
    }
  }

  /// The schema as text without its descriptions. It contains all names that the protocol defines.
  package static let words = undescribed(json).compactText

  private static func undescribed(_ json: JSON) -> JSON {
    switch json {
    case .array(let elements): .array(elements.map(undescribed))
    case .object(let object):
      .object(
        JSONObject(
          object.members.filter { $0.0 != "description" }.map { ($0, undescribed($1)) }))
    case .null, .bool, .integer, .double, .string: json
    }
  }

  // MARK: Requests

  private static func addMethod<Kind: Method>(
    _ method: Kind.Type, to definitions: inout SchemaDefinitions
  ) -> JSON {
    let needsParams = Kind.members.contains(where: \.isRequired)
    addPart("params", of: Kind.name, Kind.schema, to: &definitions)
    addPart("result", of: Kind.name, Kind.Result.schema, to: &definitions)
    return addCall(
      Kind.name, "request", Kind.purpose, needsParams: needsParams, to: &definitions)
  }

  private static func addNotification(
    _ name: NotificationName, to definitions: inout SchemaDefinitions
  ) -> JSON {
    let (method, params) = (name.rawValue, name.params)
    addPart("params", of: method, params.schema, to: &definitions)
    return addCall(
      method, "notification", name.purpose, needsParams: needsParams(params), to: &definitions)
  }

  /// Adds the definition of the params or the result of a method.
  private static func addPart(
    _ part: String, of method: String, _ schema: Schema, to definitions: inout SchemaDefinitions
  ) {
    let description = "The \(part) of `\(method)`."
    definitions.add(
      name(method, part), .object(schema.json(&definitions).described(description)))
  }

  private static func needsParams<Params: DeclaredObject>(_ params: Params.Type) -> Bool {
    Params.members.contains(where: \.isRequired)
  }

  /// Adds the definition of a message that a front-end sends. Its `id` is optional: a request
  /// without an ID is performed, but gets no response.
  private static func addCall(
    _ method: String, _ part: String, _ purpose: String, needsParams: Bool,
    to definitions: inout SchemaDefinitions
  ) -> JSON {
    let params = SchemaDefinitions.reference(to: name(method, "params"))
    var required: [JSON] = ["jsonrpc", "method"]
    if needsParams { required.append("params") }
    let call: JSONObject = [
      "type": "object",
      "properties": [
        "jsonrpc": ["const": "2.0"],
        "id": RequestID.schema.json(&definitions),
        "method": ["const": .string(method)],
        "params": needsParams
          ? params : ["anyOf": [params, ["type": "null"], ["type": "array", "maxItems": 0]]],
      ],
      "required": .array(required),
    ]
    return add(name(method, part), purpose, call, to: &definitions)
  }

  // MARK: Messages of the server

  private static func addNotification(
    _ name: ServerNotification, to definitions: inout SchemaDefinitions
  ) -> JSON {
    let params = name.params.map { $0.schema }
    let schema = params.count == 1 ? params[0] : .anyOf(params, isOpen: false)
    let method = name.rawValue
    addPart("params", of: method, schema, to: &definitions)
    let members: JSONObject = [
      "method": ["const": .string(method)],
      "params": SchemaDefinitions.reference(to: self.name(method, "params")),
    ]
    return add(self.name(method, "notification"), name.purpose, envelope(members), to: &definitions)
  }

  private static func addResponses(_ results: [JSON], to definitions: inout SchemaDefinitions) {
    let id = RequestID.schema
    let result: JSON = ["anyOf": .array(results), "x-open": true]
    _ = add(
      "response", "The response to a request.",
      envelope(["id": id.json(&definitions), "result": result]), to: &definitions)
    // The ID is null in the response to an unreadable message.
    let error = SchemaDefinitions.reference(to: "error")
    _ = add(
      "errorResponse", "The response to a request that failed.",
      envelope(["id": id.orNull.json(&definitions), "error": error]), to: &definitions)
    _ = add(
      "error", "Why a request failed.", WireError.schema.json(&definitions).objectValue ?? [:],
      to: &definitions)
  }

  /// Returns the schema of a JSON-RPC message that has the given members and `jsonrpc`.
  private static func envelope(_ members: JSONObject) -> JSONObject {
    var properties: JSONObject = ["jsonrpc": ["const": "2.0"]]
    for (name, schema) in members.members { properties[name] = schema }
    return [
      "type": "object",
      "properties": .object(properties),
      "required": .array(properties.keys.map { .string($0) }),
      "additionalProperties": false,
    ]
  }

  private static func add(
    _ name: String, _ description: String, _ schema: JSONObject,
    to definitions: inout SchemaDefinitions
  ) -> JSON {
    definitions.add(name, .object(JSON.object(schema).described(description)))
    return SchemaDefinitions.reference(to: name)
  }

  /// Adds the definition of all messages that one side sends, including batches.
  private static func addSide(
    _ name: String, _ description: String, single: [JSON], batched: [JSON],
    to definitions: inout SchemaDefinitions
  ) {
    let batch: JSON = [
      "type": "array", "items": ["anyOf": .array(batched), "x-open": true], "minItems": 1,
    ]
    // Without a type, code generators would allow any value.
    _ = add(
      name, description,
      ["type": ["object", "array"], "anyOf": .array(single + [batch]), "x-open": true],
      to: &definitions)
  }
}
