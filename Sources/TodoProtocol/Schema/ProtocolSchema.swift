import JSONRPC
import TodoModel
import TodoWire

/// The JSON Schema (2020-12) of every message, from the declarations of methods, notifications and
/// what is written.
///
/// What the server writes is closed: its objects have no members but these. What front-ends write
/// is open: the server ignores what it does not know. A set of words or of alternatives with
/// `x-open` may get more.
///
/// Definitions are named after what they describe: `fromServer` and `fromFrontEnd` are all messages
/// of one side, `getTodo.params`, `getTodo.request` and `getTodo.result` those of a method.
package enum ProtocolSchema {
  /// The first number is that of the protocol; the second grows with what is added.
  package static let version = "1.0"

  package static let json: JSON = {
    var definitions = SchemaDefinitions()
    let requests = Methods.all.map { addMethod($0.type, to: &definitions) }
    let results = Methods.names.map { SchemaDefinitions.reference(to: "\($0).result") }
    let taken = NotificationName.allCases.map { addNotification($0, to: &definitions) }
    let sent = ServerNotification.allCases.map { addNotification($0, to: &definitions) }
    addResponses(results, to: &definitions)
    let responses = ["response", "errorResponse"].map { SchemaDefinitions.reference(to: $0) }
    addSide("fromFrontEnd", single: requests + taken, batched: requests + taken, to: &definitions)
    addSide("fromServer", single: responses + sent, batched: responses, to: &definitions)
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "The protocol of todo-server",
      "version": .string(version),
      "anyOf": .array(["fromServer", "fromFrontEnd"].map { SchemaDefinitions.reference(to: $0) }),
      "$defs": .object(definitions.schemas),
    ]
  }()

  // MARK: Requests

  private static func addMethod<Kind: Method>(
    _ method: Kind.Type, to definitions: inout SchemaDefinitions
  ) -> JSON {
    let needsParams = Kind.members.contains(where: \.isRequired)
    definitions.add("\(Kind.name).params", Kind.schema.json(&definitions))
    definitions.add("\(Kind.name).result", Kind.Result.schema.json(&definitions))
    return addCall(Kind.name, "\(Kind.name).request", needsParams: needsParams, to: &definitions)
  }

  private static func addNotification(
    _ name: NotificationName, to definitions: inout SchemaDefinitions
  ) -> JSON {
    let name = (name.rawValue, name.params)
    definitions.add("\(name.0).params", name.1.schema.json(&definitions))
    return addCall(
      name.0, "\(name.0).notification", needsParams: needsParams(name.1), to: &definitions)
  }

  private static func needsParams<Params: DeclaredObject>(_ params: Params.Type) -> Bool {
    Params.members.contains(where: \.isRequired)
  }

  /// A message of a front-end. Without an id a method is carried out and not answered.
  private static func addCall(
    _ method: String, _ name: String, needsParams: Bool, to definitions: inout SchemaDefinitions
  ) -> JSON {
    let params = SchemaDefinitions.reference(to: "\(method).params")
    var required: [JSON] = ["jsonrpc", "method"]
    if needsParams { required.append("params") }
    let call: JSONObject = [
      "type": "object",
      "properties": [
        "jsonrpc": ["const": "2.0"],
        "id": RequestID.schema.json(&definitions),
        "method": ["const": .string(method)],
        "params": needsParams
          ? params : ["anyOf": [params, ["type": "null"], ["const": []]]],
      ],
      "required": .array(required),
    ]
    definitions.add(name, .object(call))
    return SchemaDefinitions.reference(to: name)
  }

  // MARK: What the server says

  private static func addNotification(
    _ name: ServerNotification, to definitions: inout SchemaDefinitions
  ) -> JSON {
    let params = name.params.map { $0.schema }
    let schema = params.count == 1 ? params[0] : .anyOf(params, isOpen: false)
    definitions.add("\(name.rawValue).params", schema.json(&definitions))
    let members: JSONObject = [
      "method": ["const": .string(name.rawValue)],
      "params": SchemaDefinitions.reference(to: "\(name.rawValue).params"),
    ]
    return add("\(name.rawValue).notification", envelope(members), to: &definitions)
  }

  private static func addResponses(_ results: [JSON], to definitions: inout SchemaDefinitions) {
    let id = RequestID.schema
    let result: JSON = ["anyOf": .array(results), "x-open": true]
    _ = add(
      "response", envelope(["id": id.json(&definitions), "result": result]), to: &definitions)
    // What cannot be read has no id.
    let error = SchemaDefinitions.reference(to: "error")
    _ = add(
      "errorResponse", envelope(["id": id.orNull.json(&definitions), "error": error]),
      to: &definitions)
    definitions.add("error", WireError.schema.json(&definitions))
  }

  /// An object of JSON-RPC with these members and no others.
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
    _ name: String, _ schema: JSONObject, to definitions: inout SchemaDefinitions
  ) -> JSON {
    definitions.add(name, .object(schema))
    return SchemaDefinitions.reference(to: name)
  }

  /// Everything that one side says: a message, or a batch of them.
  private static func addSide(
    _ name: String, single: [JSON], batched: [JSON], to definitions: inout SchemaDefinitions
  ) {
    let batch: JSON = [
      "type": "array", "items": ["anyOf": .array(batched), "x-open": true], "minItems": 1,
    ]
    definitions.add(name, ["anyOf": .array(single + [batch]), "x-open": true])
  }
}
