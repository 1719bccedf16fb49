import JSONRPC
import Testing

/// Tests `JSON` and `JSONObject` as values: access, comparison and changes.
struct JSONValueTests {
  private let json: JSON = [
    "null": nil, "bool": true, "integer": 7, "double": 0.5, "string": "s", "array": [1, 2],
    "object": ["a": 1],
  ]

  @Test func accessorsReturnNilForOtherKinds() {
    #expect(json["bool"]?.boolValue == true)
    #expect(json["integer"]?.integerValue == 7)
    #expect(json["integer"]?.doubleValue == 7)
    #expect(json["double"]?.doubleValue == 0.5)
    #expect(json["string"]?.stringValue == "s")
    #expect(json["array"]?.arrayValue == [1, 2])
    #expect(json["object"]?.objectValue == ["a": 1])
    #expect(json["null"]?.isNull == true)
    #expect(json["double"]?.integerValue == nil)
    #expect(json["string"]?.doubleValue == nil)
    #expect(json["null"]?.boolValue == nil)
    #expect(json["integer"]?.stringValue == nil)
    #expect(json["object"]?.arrayValue == nil)
    #expect(json["array"]?.objectValue == nil)
    #expect(json["array"]?.isNull == false)
  }

  @Test func subscriptsNeverTrap() {
    #expect(json["absent"] == nil)
    #expect(json["array"]?[1] == 2)
    #expect(json["array"]?[2] == nil)
    #expect(json["array"]?[-1] == nil)
    #expect(json["array"]?["key"] == nil)
    #expect(json["object"]?[0] == nil)
  }

  @Test func everyKindHasAName() {
    #expect(
      json.objectValue?.members.map(\.value.kindName)
        == ["null", "boolean", "number", "number", "string", "array", "object"])
  }

  @Test func equalityIgnoresTheOrderOfMembers() {
    #expect(["a": 1, "b": [:]] as JSON == ["b": [:], "a": 1])
    #expect(["a": 1, "b": 2] as JSON != ["b": 1, "a": 2])
    #expect(["a": 1] as JSON != ["a": 1, "b": 2])
    #expect(["a": 1, "b": 2] as JSON != ["a": 1, "c": 2])
    #expect([1, 2] as JSON != [2, 1])
    #expect([1] as JSON != [1, 2])
  }

  @Test func integerNeverEqualsADouble() {
    #expect(JSON.integer(1) != .double(1))
  }

  @Test func stringsAreComparedByteForByte() {
    #expect(JSON.string("\u{e9}") != .string("e\u{301}"))
    #expect(JSON.string("\u{e9}") == .string("\u{e9}"))
    #expect(JSON.string("") == .string(""))
    #expect(["\u{e9}": 1] as JSON != ["e\u{301}": 1])
  }

  @Test func membersAreSetAndRemovedInPlace() {
    var object: JSONObject = ["a": 1, "b": 2]
    object["a"] = 3
    object["c"] = 4
    #expect(JSON.object(object).compactText == #"{"a":3,"b":2,"c":4}"#)
    object["a"] = nil
    object["absent"] = nil
    #expect(JSON.object(object).compactText == #"{"b":2,"c":4}"#)
    #expect(object.count == 2)
    #expect(!object.isEmpty)
    #expect(JSONObject().isEmpty)
  }

  @Test(arguments: [3, 15, 16, 17, 40])
  func lastValueOfARepeatedKeyIsKeptAtItsFirstPosition(count: Int) {
    let members = (0..<count).map { ("k\($0)", JSON.integer(Int64($0))) }
    let object = JSONObject(members + [("k1", "last"), ("new", 1), ("new", 2)])
    #expect(object.count == count + 1)
    #expect(object.members[1].value == "last")
    #expect(object["new"] == 2)
  }

  @Test func largeObjectsInAnotherOrderAreEqual() {
    let members = (0..<1_000).map { ("k\($0)", JSON.integer(Int64($0))) }
    #expect(JSONObject(members) == JSONObject(members.reversed()))
  }

  @Test func idsAreComparedByTypeAndBytes() {
    #expect(RequestID.integer(1) != .string("1"))
    #expect(RequestID.string("\u{e9}") != .string("e\u{301}"))
    #expect(Set<RequestID>([1, "1", 1, "1", "\u{e9}", "e\u{301}"]).count == 4)
    #expect(RequestID(JSON.double(1)) == nil)
    #expect(RequestID(JSON.null) == nil)
    #expect(RequestID(JSON.integer(7))?.json == 7)
    #expect(RequestID(JSON.string("7"))?.json == "7")
    #expect("\(RequestID.integer(1)) \(RequestID.string("1"))" == #"1 "1""#)
  }
}
