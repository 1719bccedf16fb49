import JSONRPC
import Testing

@testable import TodoProtocol

/// A member of a method's params, and the types that its value may have.
struct WrongMember: CustomTestStringConvertible {
  var method: String
  var key: String
  var expected: String
  /// The other members of the params, as JSON text without braces.
  var others: String
  /// The path of the object that contains the member; `nil` for the params themselves.
  var parent: String?
  var isRequired = false

  var testDescription: String { "\(method) \(path)" }

  var path: String { parent.map { "params.\($0).\(key)" } ?? "params.\(key)" }

  /// Returns the params with a value of the member.
  func params(_ value: String) -> String {
    let member = #""\#(key)": \#(value)"#
    let nested = parent.map { #""\#($0)": {\#(member)}"# } ?? member
    return "{\(others)\(others.isEmpty ? "" : ", ")\(nested)}"
  }

  static func required(
    _ method: String, _ key: String, _ expected: String, beside others: String = ""
  ) -> WrongMember {
    WrongMember(method: method, key: key, expected: expected, others: others, isRequired: true)
  }

  static func optional(
    _ method: String, _ key: String, _ expected: String, beside others: String = "",
    in parent: String? = nil
  ) -> WrongMember {
    WrongMember(method: method, key: key, expected: expected, others: others, parent: parent)
  }

  static let all: [WrongMember] = [
    .optional("initialize", "processId", "integer"),
    .optional("initialize", "trace", "string"),
    .optional("initialize", "initializationOptions", "object"),
    .optional("initialize", "store", "string", in: "initializationOptions"),
    .optional("initialize", "source", "string", in: "initializationOptions"),
    .optional("initialize", "githubURL", "string", in: "initializationOptions"),
    .optional("initialize", "registerURL", "string", in: "initializationOptions"),
    .required("screen/change", "screen", "string", beside: #""values": {}"#),
    .required("screen/change", "values", "object", beside: #""screen": "s""#),
    .required("screen/act", "screen", "string", beside: #""action": "a""#),
    .required("screen/act", "action", "string", beside: #""screen": "s""#),
    .optional("screen/act", "item", "string", beside: #""screen": "s", "action": "a""#),
    .optional("screen/act", "values", "object", beside: #""screen": "s", "action": "a""#),
    .optional("screen/act", "base", "string", beside: #""screen": "s", "action": "a""#),
    .required("login", "name", "string"),
    .optional("login", "password", "string", beside: #""name": "n""#),
    .required("register", "username", "string", beside: #""password": "p""#),
    .required("register", "password", "string", beside: #""username": "u""#),
    .optional("loadTodos", "refresh", "boolean"),
    .optional("loadTodos", "workDoneToken", "integer or string"),
    .optional("listTodos", "query", "string"),
    .optional("listTodos", "done", "boolean"),
    .optional("listTodos", "offset", "integer"),
    .optional("listTodos", "limit", "integer"),
    .optional("listTodos", "fields", "array"),
    .optional("listTodos", "sort", "string"),
    .required("getTodo", "id", "string"),
    .required("addTodo", "title", "string"),
    .optional("addTodo", "note", "string", beside: #""title": "t""#),
    .required("editTodo", "id", "string"),
    .optional("editTodo", "title", "string", beside: #""id": "i""#),
    .optional("editTodo", "note", "string", beside: #""id": "i""#),
    .optional("editTodo", "done", "boolean", beside: #""id": "i""#),
    .optional("editTodo", "version", "integer", beside: #""id": "i""#),
    .required("removeTodo", "id", "string"),
    .optional("removeTodo", "version", "integer", beside: #""id": "i""#),
  ]

  /// Values of every kind. An error message must not repeat their texts and digits.
  static let values: [(text: String, kinds: Set<String>, name: String)] = [
    (#""s3cret""#, ["string", "integer or string"], "string"),
    ("717171", ["integer", "integer or string"], "number"),
    ("7171.71", [], "number"),
    ("true", ["boolean"], "boolean"),
    (#"["s3cret", 717171]"#, ["array"], "array"),
    (#"{"s3cret": 717171}"#, ["object"], "object"),
  ]
}

@Suite("Params of a wrong type")
struct WrongParamsTests {
  @Test("are refused with the path and the types", arguments: WrongMember.all)
  func wrongType(member: WrongMember) throws {
    for value in WrongMember.values where !value.kinds.contains(member.expected) {
      let error = try refusal(member.method, member.params(value.text))
      let message = "\(member.path): expected \(member.expected), got \(value.name)"
      #expect(error == .invalidParams(message))
    }
  }

  @Test("are not repeated in the message", arguments: WrongMember.all)
  func noValue(member: WrongMember) {
    for value in WrongMember.values {
      do {
        _ = try read(member.method, member.params(value.text))
      } catch {
        let message = (error as? RPCError)?.message
        #expect(message?.contains("s3cret") == false || member.key == "values")
        #expect(message?.contains("7171") == false)
      }
    }
  }

  @Test("A required member that is missing or null is refused", arguments: WrongMember.all)
  func missing(member: WrongMember) throws {
    let name = member.method
    guard member.isRequired else {
      _ = try read(name, "{\(member.others)}")
      _ = try read(name, member.params("null"))
      return
    }
    #expect(
      try refusal(name, "{\(member.others)}")
        == .invalidParams("\(member.path): missing, expected \(member.expected)"))
    #expect(
      try refusal(name, member.params("null"))
        == .invalidParams("\(member.path): expected \(member.expected), got null"))
  }

  @Test("An unknown member is ignored", arguments: WrongMember.all)
  func unknownMember(member: WrongMember) throws {
    guard member.isRequired else { return }
    var other = member
    other.key = "unknown"
    let error = try refusal(member.method, other.params("[1]"))
    #expect(error == .invalidParams("\(member.path): missing, expected \(member.expected)"))
  }

  @Test("An integer has no fraction and is in range", arguments: ["1.0", "1e2", "1e300"])
  func fractions(number: String) throws {
    #expect(
      try refusal("listTodos", #"{"limit": \#(number)}"#)
        == .invalidParams("params.limit: expected integer, got number"))
  }

  @Test("A count is not negative", arguments: ["offset", "limit"])
  func negativeCounts(key: String) throws {
    #expect(
      try refusal("listTodos", #"{"\#(key)": -1}"#)
        == .invalidParams("params.\(key): expected an integer of at least 0, got -1"))
  }

  @Test("Selected fields are fields of a todo")
  func unknownFields() throws {
    #expect(
      try refusal("listTodos", #"{"fields": ["id", "colour"]}"#)
        == .invalidParams(
          "params.fields[1]: expected one of id, title, note, done, due, labels, priority, "
            + "version, createdAt, updatedAt, source, sourceDue, sync, section, got another string")
    )
    #expect(
      try refusal("listTodos", #"{"fields": ["id", 7]}"#)
        == .invalidParams("params.fields[1]: expected string, got number"))
  }

  @Test("A sort order is a known word", arguments: ["colour", "--title", "-", "", "Title"])
  func unknownSort(word: String) throws {
    #expect(
      try refusal("listTodos", #"{"sort": "\#(word)"}"#)
        == .invalidParams(
          "params.sort: expected one of order, -order, title, -title, created, -created, "
            + "updated, -updated, done, -done, due, -due, priority, -priority, got another string"))
  }

  @Test("An unknown trace value is refused")
  func unknownTrace() throws {
    #expect(
      try refusal("initialize", #"{"trace": "s3cret"}"#)
        == .invalidParams(
          #"params.trace: expected "off", "messages" or "verbose", got another string"#))
  }

  @Test(
    "The value of a field is a text", arguments: ["screen/change", "screen/act"],
    [("7", "number"), ("null", "null"), (#"["s3cret"]"#, "array"), ("true", "boolean")])
  func fieldValues(method: String, value: (text: String, kind: String)) throws {
    let params = #"{"screen": "s", "action": "a", "values": {"b": "x", "a": \#(value.text)}}"#
    #expect(
      try refusal(method, params)
        == .invalidParams("params.values.a: expected string, got \(value.kind)"))
  }

  @Test("A long unknown field name is truncated in the message")
  func longFieldName() throws {
    let name = String(repeating: "x", count: 10_000)
    let error = try refusal("screen/change", #"{"screen": "s", "values": {"\#(name)": 1}}"#)
    #expect(error.message.hasPrefix("params.values.xxx"))
    #expect(error.message.hasSuffix(": expected string, got number"))
    #expect(error.message.utf8.count < 200)
  }
}
