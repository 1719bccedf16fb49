import JSONRPC
import Testing

/// Tests reading params by name. The errors name the member and never contain a value.
struct ParamsTests {
  @Test(arguments: [nil, .null, [:], []] as [JSON?])
  func absentNullAndEmptyParamsAreAllEmpty(json: JSON?) throws {
    let params = try Params(json)
    #expect(params.isEmpty)
    #expect(try params.optionalString("a") == nil)
    #expect(refusal { _ = try params.string("a") } == "params.a: missing, expected string")
  }

  @Test(
    arguments: [([1], "array"), ("secret", "string"), (1, "number"), (true, "boolean")]
      as [(JSON, String)])
  func paramsOfAnotherKindAreInvalid(json: JSON, kind: String) {
    #expect(refusal { _ = try Params(json) } == "params: expected object, got \(kind)")
  }

  @Test func membersAreReadByNameAndKind() throws {
    let params = try Params([
      "string": "s", "integer": 7, "double": 0.5, "bool": true, "object": ["a": 1],
      "array": [1, "x"],
      "strings": ["a", "b"], "objects": [["a": 1], [:]],
    ])
    #expect(try params.string("string") == "s")
    #expect(try params.integer("integer") == 7)
    #expect(try params.double("double") == 0.5)
    #expect(try params.double("integer") == 7)
    #expect(try params.bool("bool") == true)
    #expect(try params.object("object").integer("a") == 1)
    #expect(try params.array("array") == [1, "x"])
    #expect(try params.strings("strings") == ["a", "b"])
    #expect(try params.objects("objects").map(\.isEmpty) == [false, true])
    #expect(try params.requestID("integer") == 7)
    #expect(try params.requestID("string") == "s")
    #expect(params.value("array") == [1, "x"])
  }

  @Test func anOptionalMemberThatIsNullCountsAsAbsent() throws {
    let params = try Params(["a": nil])
    #expect(try params.optionalString("a") == nil)
    #expect(try params.optionalInteger("a") == nil)
    #expect(try params.optionalDouble("a") == nil)
    #expect(try params.optionalBool("a") == nil)
    #expect(try params.optionalObject("a") == nil)
    #expect(try params.optionalArray("a") == nil)
    #expect(try params.optionalStrings("a") == nil)
    #expect(try params.optionalObjects("a") == nil)
    #expect(try params.optionalRequestID("a") == nil)
    #expect(params.value("a") == nil)
  }

  @Test func aRequiredMemberThatIsNullIsOfTheWrongKind() throws {
    let params = try Params(["a": nil])
    #expect(refusal { _ = try params.string("a") } == "params.a: expected string, got null")
    #expect(refusal { _ = try params.object("a") } == "params.a: expected object, got null")
  }

  @Test func errorNamesTheMissingMember() throws {
    let params = try Params(["other": 1])
    let missing = { (expected: String) in "params.a: missing, expected \(expected)" }
    #expect(refusal { _ = try params.string("a") } == missing("string"))
    #expect(refusal { _ = try params.integer("a") } == missing("integer"))
    #expect(refusal { _ = try params.double("a") } == missing("number"))
    #expect(refusal { _ = try params.bool("a") } == missing("boolean"))
    #expect(refusal { _ = try params.object("a") } == missing("object"))
    #expect(refusal { _ = try params.array("a") } == missing("array"))
    #expect(refusal { _ = try params.strings("a") } == missing("array"))
    #expect(refusal { _ = try params.objects("a") } == missing("array"))
    #expect(refusal { _ = try params.requestID("a") } == missing("integer or string"))
  }

  @Test func errorNamesTheMemberOfTheWrongKind() throws {
    let params = try Params(["a": ["secret": 1], "b": 1.5, "c": 1.0, "d": "secret"])
    #expect(
      refusal { _ = try params.optionalString("a") } == "params.a: expected string, got object")
    #expect(refusal { _ = try params.integer("b") } == "params.b: expected integer, got number")
    #expect(refusal { _ = try params.integer("c") } == "params.c: expected integer, got number")
    #expect(refusal { _ = try params.bool("d") } == "params.d: expected boolean, got string")
    #expect(refusal { _ = try params.double("d") } == "params.d: expected number, got string")
    #expect(refusal { _ = try params.array("d") } == "params.d: expected array, got string")
    #expect(
      refusal { _ = try params.requestID("b") }
        == "params.b: expected integer or string, got number")
  }

  /// All members are read in one pass. If all members were searched for each name, the test would
  /// take minutes.
  @Test func manyMembersAreReadInOneWalk() throws {
    let members = (0..<100_000).map { "\"k\($0)\":\"v\"" }.joined(separator: ",")
    let params = try Params(RawJSON(JSON(parsing: Array("{\(members)}".utf8))))
    #expect(try params.stringsByName().count == 100_000)
    let mixed = try Params(["a": "x", "b": nil])
    #expect(refusal { _ = try mixed.stringsByName() } == "params.b: expected string, got null")
  }

  @Test func errorsInsideNestedValuesCarryTheWholePath() throws {
    let params = try Params([
      "todo": ["title": 1], "todos": [["id": "a"], ["id": true], 3], "tags": ["a", 1],
    ])
    #expect(
      refusal { _ = try params.object("todo").string("title") }
        == "params.todo.title: expected string, got number")
    #expect(
      refusal { _ = try params.object("todo").string("note") }
        == "params.todo.note: missing, expected string")
    #expect(
      refusal { _ = try params.objects("todos") } == "params.todos[2]: expected object, got number")
    #expect(
      refusal { _ = try params.strings("tags") } == "params.tags[1]: expected string, got number")
    let todos = try Params(["todos": [["id": "a"], ["id": true]]]).objects("todos")
    #expect(
      refusal { _ = try todos[1].string("id") }
        == "params.todos[1].id: expected string, got boolean")
  }

  @Test func emptyArrayIsNotAcceptedAsANestedObject() throws {
    let params = try Params(["a": []])
    #expect(refusal { _ = try params.object("a") } == "params.a: expected object, got array")
  }

  @Test func errorOfACustomCheckHasTheSameForm() throws {
    let error = try Params(["todo": ["keep": "x"]]).object("todo").invalid(
      "keep", "expected mine or theirs")
    #expect(error == .invalidParams("params.todo.keep: expected mine or theirs"))
  }
}

/// The message of the error that `body` throws; `nil` if it throws none.
private func refusal(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch let error as RPCError where error.code == ErrorCode.invalidParams {
    return error.message
  } catch {
    return "another error: \(error)"
  }
}
