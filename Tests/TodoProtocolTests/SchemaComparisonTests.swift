import JSONRPC
import Testing

@testable import TodoProtocol

/// Tests the comparison with planted changes of the schema, additive and breaking ones.
@Suite("Comparing schemas") struct SchemaComparisonTests {
  /// A change of the current schema.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (inout JSON) -> Void

    init(_ name: String, _ make: @escaping @Sendable (inout JSON) -> Void) {
      (testDescription, self.make) = (name, make)
    }

    var comparison: SchemaComparison {
      var changed = ProtocolSchema.json
      make(&changed)
      return SchemaComparison(old: ProtocolSchema.json, new: changed)
    }
  }

  @Test("The same schema has no changes")
  func same() {
    let comparison = SchemaComparison(old: ProtocolSchema.json, new: ProtocolSchema.json)
    #expect(comparison.breaks == [])
    #expect(comparison.additions == [])
  }

  @Test("A change that old front-ends do not notice is additive", arguments: additive)
  func additions(change: Change) {
    #expect(change.comparison.breaks == [])
    #expect(change.comparison.additions != [])
  }

  @Test("A change that old front-ends notice is breaking", arguments: breaking)
  func breaks(change: Change) {
    #expect(change.comparison.breaks != [])
  }

  @Test("The inverse of an addition is breaking", arguments: additive)
  func takingBack(change: Change) {
    var changed = ProtocolSchema.json
    change.make(&changed)
    #expect(SchemaComparison(old: changed, new: ProtocolSchema.json).breaks != [])
  }

  static let additive = [
    Change("a member that may be absent is written") {
      $0.member("item", "colour", ["type": "string"])
    },
    Change("a member that is always there is written") {
      $0.member("item", "colour", ["type": "string"], isRequired: true)
    },
    Change("a member is always there") { $0.require("item", "detail") },
    Change("a param may be given") { $0.member("addTodoParams", "effort", ["type": "string"]) },
    Change("a param is no longer needed") { $0["$defs", "getTodoParams", "required"] = [] },
    Change("a word is taken") {
      $0["$defs", "traceValue", "enum"]?.append("all")
    },
    Change("a range that is taken is wider") {
      $0["$defs", "screenWindowParams", "properties", "limit", "minimum"] = -1
    },
    Change("a role is new") {
      $0["$defs", "action", "properties", "role", "enum"]?.append("share")
    },
    Change("an error kind is new") {
      $0["$defs", "failure", "properties", "kind", "enum"]?.append("tired")
    },
    Change("a method is new") {
      $0["$defs", "singRequest"] = $0["$defs", "getTodoRequest"]
      $0["$defs", "fromFrontEnd", "anyOf"]?.append(["$ref": "#/$defs/singRequest"])
    },
    Change("a notification of the server is new") {
      $0["$defs", "sungNotification"] = $0["$defs", "windowLogMessageNotification"]
      $0["$defs", "fromServer", "anyOf"]?.append(["$ref": "#/$defs/sungNotification"])
    },
  ]

  static let breaking = [
    Change("a member is gone") { $0["$defs", "item", "properties", "detail"] = nil },
    Change("a member has another type") {
      $0["$defs", "item", "properties", "id"] = ["type": "integer"]
    },
    Change("a member may be absent") { $0["$defs", "item", "required"] = ["id"] },
    Change("a member may be null") {
      $0["$defs", "item", "properties", "title"] = [
        "anyOf": [["type": "string"], ["type": "null"]]
      ]
    },
    Change("a member has another form") {
      $0["$defs", "todo", "properties", "createdAt", "format"] = "time"
    },
    Change("an array has other elements") {
      $0["$defs", "list", "properties", "items", "items"] = ["$ref": "#/$defs/action"]
    },
    Change("an object accepts undeclared members") {
      $0["$defs", "item", "additionalProperties"] = nil
    },
    Change("a param is gone") { $0["$defs", "addTodoParams", "properties", "note"] = nil },
    Change("a param is new and needed") {
      $0.member("addTodoParams", "due", ["type": "string"], isRequired: true)
    },
    Change("a param is needed now") { $0.require("listTodosParams", "limit") },
    Change("a param has another type") {
      $0["$defs", "getTodoParams", "properties", "id"] = ["type": "integer"]
    },
    Change("a range that is taken is narrower") {
      $0["$defs", "screenWindowParams", "properties", "limit", "minimum"] = 1
    },
    Change("the values of fields are something else") {
      $0["$defs", "screenChangeParams", "properties", "values", "additionalProperties"] = [
        "type": "integer"
      ]
    },
    Change("a word is not taken any more") {
      $0["$defs", "traceValue", "enum"] = ["off", "messages"]
    },
    Change("a role is gone") { $0["$defs", "action", "properties", "role", "enum"] = ["open"] },
    Change("a reason is gone") {
      $0["$defs", "refusal", "properties", "reason", "enum"] = ["disabled"]
    },
    Change("a closed set has a new word") {
      $0["$defs", "message", "properties", "level", "enum"]?.append("panic")
    },
    Change("a closed set is open") {
      $0["$defs", "message", "properties", "level", "x-open"] = true
    },
    Change("a body is new") {
      $0["$defs", "table"] = ["type": "object"]
      $0["$defs", "screen", "properties", "body", "anyOf"]?.append(["$ref": "#/$defs/table"])
    },
    Change("a body is gone") {
      $0["$defs", "screen", "properties", "body", "anyOf"] = [["$ref": "#/$defs/form"]]
    },
    Change("a kind of body has another name") {
      $0["$defs", "progress", "properties", "kind", "const"] = "waiting"
    },
    Change("a method is gone") {
      $0["$defs", "fromFrontEnd", "anyOf"] = [["$ref": "#/$defs/getTodoRequest"]]
    },
    Change("a method has another name") {
      $0["$defs", "getTodoRequest", "properties", "method", "const"] = "todo"
    },
    Change("a result is another one") {
      $0["$defs", "getTodoResult"] = $0["$defs", "logoutResult"]
    },
    Change("a result is gone") { $0["$defs", "getTodoResult"] = nil },
    Change("a notification is gone") {
      $0["$defs", "fromServer", "anyOf"] = [["$ref": "#/$defs/response"]]
    },
    Change("an error code is another one") {
      $0["$defs", "error", "anyOf"] = [["$ref": "#/$defs/refusal"]]
    },
  ]
}

extension JSON {
  /// The value at a path of members, to change it.
  fileprivate subscript(path: String...) -> JSON? {
    get { path.reduce(self) { $0?[$1] } }
    set { set(newValue, at: path[...]) }
  }

  private mutating func set(_ value: JSON?, at path: ArraySlice<String>) {
    guard let name = path.first, var object = objectValue else { return }
    if path.count == 1 {
      object[name] = value
    } else {
      var part = object[name] ?? [:]
      part.set(value, at: path.dropFirst())
      object[name] = part
    }
    self = .object(object)
  }

  fileprivate mutating func append(_ element: JSON) {
    self = .array((arrayValue ?? []) + [element])
  }

  fileprivate mutating func member(
    _ definition: String, _ name: String, _ schema: JSON, isRequired: Bool = false
  ) {
    self["$defs", definition, "properties", name] = schema
    if isRequired { require(definition, name) }
  }

  fileprivate mutating func require(_ definition: String, _ name: String) {
    let required = self["$defs", definition, "required"]?.arrayValue ?? []
    self["$defs", definition, "required"] = .array(required + [.string(name)])
  }
}
