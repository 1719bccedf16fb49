import JSONRPC
import Testing

/// Tests that the parser splits a stream into frames with headers, and resynchronizes after invalid
/// frames.
struct FrameParserTests {
  // MARK: Which framing

  @Test(
    arguments: [
      ("{", .lines), ("[", .lines), (" \r\n\t{", .lines), ("\n\n[", .lines), ("C", .headers),
      ("\r\n\r\nContent-Length: 2", .headers), ("\"", .headers), ("\u{feff}{", .headers),
      ("", nil), (" \r\n\t", nil),
    ] as [(String, Framing?)])
  func firstNonWhitespaceByteDecidesTheFraming(stream: String, framing: Framing?) {
    var parser = FrameParser()
    parser.append(Array(stream.utf8))
    while parser.next() != nil {}
    #expect(parser.framing == framing)
  }

  @Test func whitespaceAloneYieldsNoFrame() {
    #expect(events(in: " \r\n\t ") == [])
    #expect(events(in: "") == [])
  }

  @Test func framingNeverChanges() {
    #expect(events(in: "{}\nContent-Length: 2\n") == [.frame("{}"), .frame("Content-Length: 2")])
    #expect(events(in: framed("{}") + "{}\n\n") == [.frame("{}"), .problem(-32600)])
  }

  // MARK: Valid headers

  @Test(arguments: [
    "Content-Length: 2\r\n\r\n{}", "content-length: 2\r\n\r\n{}", "CONTENT-LENGTH: 2\r\n\r\n{}",
    "Content-Length:2\r\n\r\n{}", "Content-Length: \t 2 \t\r\n\r\n{}", "Content-Length: 2\n\n{}",
    "Content-Length: 002\r\n\r\n{}", "Content-Length: 2\r\n\n{}", "Content-Length: 2\r\r\n\r\r\n{}",
    "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}",
    "Content-Length: 2\r\ncontent-type:x;charset=\"UTF8\"\r\n\r\n{}",
    "Content-Length: 2\r\nContent-Type: application/json\r\n\r\n{}",
    "Content-Type: a/b; x=y; Charset = utf8\r\nContent-Length: 2\r\n\r\n{}",
    "X-Other: Content-Length: 9\r\nContent-Length: 2\r\n\r\n{}",
    "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "\r\n\n\r\nContent-Length: 2\r\n\r\n{}",
    "Content-Length: 2\r\nX-Empty:\r\n\r\n{}",
  ])
  func aHeaderMayBeWrittenInManyWays(stream: String) {
    #expect(events(in: stream) == [.frame("{}")])
  }

  @Test func aLengthCountsBytes() {
    #expect(events(in: "Content-Length: 4\r\n\r\n\"é\"") == [.frame("\"é\"")])
  }

  @Test func framesFollowEachOther() {
    let stream = framed("{}") + framed("[1]") + "\r\n" + framed("\n\n")
    #expect(events(in: stream) == [.frame("{}"), .frame("[1]"), .frame("\n\n")])
  }

  @Test func aLengthOfZeroIsAnEmptyFrame() {
    #expect(events(in: "Content-Length: 0\r\n\r\n" + framed("{}")) == [.frame(""), .frame("{}")])
  }

  // MARK: Invalid headers

  @Test(arguments: [
    "X-Other: 2", "Content-Length: ", "Content-Length: -2", "Content-Length: +2",
    "Content-Length: 0x2", "Content-Length: 2e0", "Content-Length: 1 2", "Content-Length: 2.0",
    "Content-Length: 9223372036854775808", "Content-Length: 99999999999999999999999999",
    "Content-Length: 2, 2", "Content-Length : 2", "Content-Length 2", ": 2", "Content-Length: ٢",
    "Content-Length: 2\r\nContent-Length: 3", "Content-Length: 2\r\nContent-Length: x",
    "Content-Length: x\r\nContent-Length: 2",
  ])
  func badHeaderIsOneProblemAndParsingContinuesAfterTheBlankLine(header: String) {
    #expect(
      events(in: "\(header)\r\n\r\n" + framed("{}")) == [.problem(-32600), .frame("{}")])
  }

  @Test(arguments: [
    "Content-Type: text/plain; charset=latin1\r\nContent-Length: 2",
    "Content-Length: 2\r\nContent-Type: text/plain; charset=utf-16",
    "Content-Length: 2\r\nContent-Type: text/plain; charset=",
    "Content-Length: 2\r\nno colon", "Content-Length: 2\r\n folded: line",
    "Content-Length: 2\r\nbad name: 1",
  ])
  func anUnreadableFrameWithALengthIsSkippedWithItsBody(header: String) {
    #expect(events(in: "\(header)\r\n\r\n{}" + framed("[]")) == [.problem(-32600), .frame("[]")])
  }

  @Test func theBodyOfABadHeaderCostsNoOtherFrame() {
    let stream = "Content-Length: x\r\n\r\n{\"a\":1}" + framed("[1]") + framed("[2]")
    #expect(events(in: stream) == [.problem(-32600), .frame("[1]"), .frame("[2]")])
  }

  @Test func aLengthThatIsTooShortCostsOneFrame() {
    let stream = "Content-Length: 3\r\n\r\n{\"a\":1}" + framed("[1]") + framed("[2]")
    #expect(
      events(in: stream) == [.frame("{\"a"), .problem(-32600), .frame("[1]"), .frame("[2]")])
  }

  @Test func aLengthThatIsTooShortForABodyOfManyLines() {
    let stream = "Content-Length: 3\r\n\r\n{\n \"a\":1,\n \"b\": 2\n}" + framed("[1]")
    #expect(events(in: stream) == [.frame("{\n "), .problem(-32600), .frame("[1]")])
  }

  @Test func lengthThatIsTooLongConsumesTheNextFrame() {
    let stream = "Content-Length: 7\r\n\r\n{}" + framed("[1]") + framed("[2]")
    #expect(events(in: stream) == [.frame("{}Conte"), .problem(-32600), .frame("[2]")])
  }

  @Test func eachBadHeaderIsOneProblem() {
    let stream = "a: b\r\n\r\nc: d\r\n\r\n" + framed("{}")
    #expect(events(in: stream) == [.problem(-32600), .problem(-32600), .frame("{}")])
  }

  @Test func aProblemNeverRepeatsTheInput() {
    for header in ["Content-Length: secret", "secret", "Content-Type: a; charset=secret"] {
      var parser = FrameParser()
      parser.append(Array("\(header)\r\n\r\n".utf8))
      guard case .problem(let error)? = parser.next() else {
        Issue.record("expected a problem")
        continue
      }
      #expect(!error.message.contains("secret"))
    }
  }

  // MARK: Limits

  @Test func aFrameOverTheLimitIsSkippedAndTheNextOneIsRead() {
    let limits = FrameLimits(frameBytesMax: 5)
    let stream = framed("12345") + framed("123456") + framed("[1]")
    #expect(
      events(in: stream, limits: limits) == [.frame("12345"), .problem(-32600), .frame("[1]")])
  }

  @Test func nothingIsReservedForAnAnnouncedLength() {
    var parser = FrameParser(limits: FrameLimits(frameBytesMax: .max))
    parser.append(Array("Content-Length: 9223372036854775807\r\n\r\n{".utf8))
    #expect(parser.next() == nil)
    #expect(parser.finish().map(Seen.init) == .fatal(-32600))
  }

  @Test func aHeaderMayBeAsLongAsTheLimit() {
    let header = "Content-Length: 2\r\n\r\n"
    let exact = FrameLimits(headerBytesMax: header.utf8.count)
    let tooSmall = FrameLimits(headerBytesMax: header.utf8.count - 1)
    #expect(events(in: header + "{}", limits: exact) == [.frame("{}")])
    #expect(
      events(in: header + framed("{}"), limits: tooSmall) == [.problem(-32600), .problem(-32600)])
  }

  @Test(arguments: ["\r\n", "\n"])
  func aHeaderOverTheLimitIsOneProblemUpToTheNextBlankLine(lineEnd: String) {
    let limits = FrameLimits(headerBytesMax: 64)
    let longLine = String(repeating: "x", count: 1_000)
    let manyLines = Array(repeating: "a: b", count: 100).joined(separator: lineEnd)
    for header in [longLine, manyLines, "\(longLine)\(lineEnd)\(manyLines)"] {
      let stream = header + lineEnd + lineEnd + framed("{}")
      #expect(events(in: stream, limits: limits) == [.problem(-32600), .frame("{}")])
    }
  }

  @Test func aHugeHeaderIsOneProblem() {
    let header = String(repeating: "x", count: 1 << 17)
    #expect(events(in: header + "\r\n\r\n" + framed("{}")) == [.problem(-32600), .frame("{}")])
  }

  // MARK: The end of the input

  @Test(
    arguments: [
      ("Content-Length: 2", [.fatal(-32600)]), ("Content-Length: 2\r\n", [.fatal(-32600)]),
      ("Content-Length: 2\r\n\r\n", [.fatal(-32600)]),
      ("Content-Length: 2\r\n\r\n{", [.fatal(-32600)]),
      ("x", [.fatal(-32600)]), ("Content-Length: x\r\n\r\n{}", [.problem(-32600)]),
      ("Content-Length: x\r\n\r\nContent-Length: 2\r\n", [.problem(-32600), .fatal(-32600)]),
      ("Content-Length: 2\r\n\r\n{}\r\n\r", [.frame("{}")]),
    ] as [(String, [Seen])])
  func incompleteFrameIsFatal(stream: String, expected: [Seen]) {
    #expect(events(in: stream) == expected)
  }

  @Test func streamMayEndInsideASkippedFrame() {
    let limits = FrameLimits(frameBytesMax: 1, headerBytesMax: 32)
    #expect(events(in: "Content-Length: 2\r\n\r\n{", limits: limits) == [.problem(-32600)])
    let header = String(repeating: "x", count: 100)
    #expect(events(in: header, limits: limits) == [.problem(-32600)])
  }

  @Test func finishingYieldsWhatIsWaitingFirstAndThenNothing() {
    var parser = FrameParser()
    parser.append(Array((framed("{}") + framed("[]")).utf8))
    #expect(parser.finish().map(Seen.init) == .frame("{}"))
    #expect(parser.finish().map(Seen.init) == .frame("[]"))
    #expect(parser.finish() == nil)
    #expect(parser.finish() == nil)
  }
}
