import JSONRPC
import Testing
import TodoModel
import TodoWire

/// Tests params whose members have one declaration for the parsing, the errors and the schema.
@Suite struct MemberTests {
  private struct Query: DeclaredObject {
    var text = ""
    var limit: Int?
    var sort: TodoSort?
    var fields: Set<TodoField>?

    static let members: [Member<Query>] = [
      .required("text") { $0.text = $1 },
      .optional("limit") { (query, count: Count) in query.limit = count.value },
      .optional("sort") { $0.sort = $1 },
      .optional("fields") { (query, words: EnumValueSet<TodoField>) in query.fields = words.words },
    ]
  }

  private func read(_ text: String) throws -> Query {
    try Query(Params(RawJSON(JSON(parsing: Array(text.utf8)))))
  }

  private func problem(_ text: String) throws -> String? {
    let error = #expect(throws: RPCError.self) { try read(text) }
    #expect(error?.code == ErrorCode.invalidParams)
    return error?.message
  }

  @Test func membersAreReadAndUnknownOnesIgnored() throws {
    let query = try read(
      #"{"text":"milk","limit":0,"sort":"-title","fields":["id","done"],"more":1}"#)
    #expect(query.text == "milk")
    #expect(query.limit == 0)
    #expect(query.sort == TodoSort(.title, isDescending: true))
    #expect(query.fields == [.id, .content(.done)])
  }

  @Test func optionalMembersMayBeNullOrAbsent() throws {
    let query = try read(#"{"text":"","limit":null}"#)
    #expect(query.limit == nil && query.sort == nil && query.fields == nil)
  }

  @Test func emptyArrayOfWordsIsNotAbsent() throws {
    #expect(try read(#"{"text":"","fields":[]}"#).fields == [])
  }

  @Test(arguments: [
    ("{}", "text"), (#"{"text":null}"#, "text"), (#"{"text":1}"#, "text"),
    (#"{"text":"","limit":-1}"#, "limit"), (#"{"text":"","sort":"size"}"#, "sort"),
    (#"{"text":"","fields":["id","size"]}"#, "fields[1]"),
  ])
  func wrongMemberIsNamedInTheError(params: String, name: String) throws {
    let message = try #require(try problem(params))
    #expect(message.contains("params.\(name)"), "\(message)")
  }

  @Test func schemaHasTheMembersThatAreRead() {
    var definitions = SchemaDefinitions()
    let schema = Query.schema.json(&definitions)
    #expect(schema["required"] == ["text"])
    #expect(
      schema["properties"]?.objectValue.map { Array($0.keys) }
        == ["text", "limit", "sort", "fields"])
    let limit = schema["properties"]?["limit"]?["anyOf"]
    #expect(limit == [["type": "integer", "minimum": 0], ["type": "null"]])
  }
}
