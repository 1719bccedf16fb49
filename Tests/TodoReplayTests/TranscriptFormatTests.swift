import JSONRPC
import TestSupport
import Testing
import TodoReplay

@Suite struct TranscriptFormatTests {
  private let text = """
    Why it exists.
    store: memory

    --> {"id":1,"method":"initialize"}
    <-- {"id":1,"result":"<any>"}
    # A remark.
    --> {"id":2,
      "method":"shutdown"}
    <-- {
      "id": 2,
      "result": null
    }

    """

  @Test func headersAndExchangesAreRead() throws {
    let transcript = try Transcript(text)
    #expect(transcript.headers == ["store": "memory"])
    #expect(transcript.exchanges.map(\.input.sender) == [.frontEnd, .frontEnd])
    #expect(transcript.exchanges[1].input.text == "{\"id\":2,\n  \"method\":\"shutdown\"}")
    #expect(transcript.exchanges[1].output.count == 4)
  }

  @Test func theSameOutputGivesTheSameText() throws {
    let transcript = try Transcript(text)
    #expect(transcript.text(withOutputs: transcript.exchanges.map(\.output)) == text)
  }

  @Test func otherOutputReplacesOnlyOutput() throws {
    let updated = try Transcript(text).text(withOutputs: [["<-- 1"], []])
    #expect(updated.contains("<-- 1\n# A remark.\n--> {\"id\":2,\n  \"method\":\"shutdown\"}\n"))
    #expect(!updated.contains("<any>"))
  }

  @Test func outputBeforeTheFirstInputIsRefused() {
    #expect(throws: TranscriptError.self) { try Transcript("Why.\n<-- {}\n") }
  }

  @Test func placeholderMatchesExactlyOneValue() {
    let expected = [#"<-- {"id":1,"result":{"revision":"<any>"}}"#]
    #expect(OutputLines.match([#"<-- {"id":1,"result":{"revision":{"a":[1]}}}"#], expected))
    #expect(!OutputLines.match([#"<-- {"id":2,"result":{"revision":3}}"#], expected))
    #expect(!OutputLines.match([#"<-- {"id":1,"result":{"revision":3,"more":4}}"#], expected))
    #expect(!OutputLines.match([], expected))
    #expect(!OutputLines.match(["== <any>"], ["== a picture"]))
  }

  @Test func aDifferenceIsReportedAndNotWritten() throws {
    let folder = TemporaryFolder()
    let path = folder.path("wrong.txt")
    let wrong = "Wrong.\n\n--> {\"id\":1,\"method\":\"shutdown\"}\n<-- {\"id\":1,\"result\":null}\n"
    try #require(write(wrong, to: path))
    guard case .different(let lines) = try TranscriptFile(path: path).replay() else {
      Issue.record("expected a difference")
      return
    }
    #expect(lines.contains { $0.hasPrefix("  + ") && $0.contains("-32002") })
    #expect(FileTree.text(of: path) == wrong)
  }

  @Test func updateReplacesOnlyTheOutput() throws {
    let folder = TemporaryFolder()
    let path = folder.path("new.txt")
    try #require(write("New.\n# kept\n--> {\"id\":1,\"method\":\"shutdown\"}\n", to: path))
    #expect(try TranscriptFile(path: path).replay(updating: true) == .updated)
    #expect(try TranscriptFile(path: path).replay() == .same)
    let updated = try #require(FileTree.text(of: path))
    #expect(updated.hasPrefix("New.\n# kept\n-->"))
    #expect(updated.contains("-32002"))
  }

  @Test func longJSONIsWrittenAMemberALine() throws {
    let json = try JSON(parsing: Array(#"{"a":"\#(String(repeating: "x", count: 99))"}"#.utf8))
    let lines = TranscriptJSON.lines(json, after: "<--")
    #expect(lines.count == 3)
    #expect(try JSON(parsing: Array(lines.joined(separator: "\n").dropFirst(4).utf8)) == json)
  }
}
