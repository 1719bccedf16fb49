import JSONRPC
import Testing

/// Tests splitting a stream into lines: each line that is not blank is a frame.
struct LineFrameTests {
  @Test(
    arguments: [
      ("{}\n[1]\n", [.frame("{}"), .frame("[1]")]),
      ("{}\r\n[1]\r\n", [.frame("{}"), .frame("[1]")]),
      (" {}\n", [.frame("{}")]), ("{}\n {} \n", [.frame("{}"), .frame(" {} ")]),
      ("{}\n\n \t\r\n\r\n[]\n", [.frame("{}"), .frame("[]")]),
      ("{}\nno json\n", [.frame("{}"), .frame("no json")]),
    ] as [(String, [Seen])])
  func everyNonblankLineIsAFrame(stream: String, expected: [Seen]) {
    #expect(events(in: stream) == expected)
  }

  @Test(
    arguments: [
      ("{}", [.frame("{}")]), ("{}\r", [.frame("{}")]), ("{}\n[", [.frame("{}"), .frame("[")]),
      ("{}\n \t", [.frame("{}")]),
    ] as [(String, [Seen])])
  func theLastLineNeedsNoEnd(stream: String, expected: [Seen]) {
    #expect(events(in: stream) == expected)
  }

  @Test(arguments: ["\n", "\r\n"])
  func aLineMayBeAsLongAsTheLimit(lineEnd: String) {
    let limits = FrameLimits(frameBytesMax: 5)
    let stream = ["[123]", "[1234]", "[1]", "[12345]", "[2]"].joined(separator: lineEnd)
    #expect(
      events(in: stream, limits: limits)
        == [.frame("[123]"), .problem(-32600), .frame("[1]"), .problem(-32600), .frame("[2]")])
  }

  @Test func longLineOfAnyLengthIsOneProblem() {
    let limits = FrameLimits(frameBytesMax: 5)
    let line = "[" + String(repeating: "1", count: 10_000)
    #expect(events(in: line + "\n{}\n", limits: limits) == [.problem(-32600), .frame("{}")])
    #expect(events(in: line, limits: limits) == [.problem(-32600)])
  }

  @Test func framesStayValidAfterMoreBytesAreAppended() {
    var parser = FrameParser()
    parser.append(Array("[1]\n".utf8))
    let first = parser.next()
    parser.append(Array("[2]\n".utf8))
    let second = parser.next()
    parser.append(Array(repeating: UInt8(ascii: " "), count: 100_000))
    #expect(first.map(Seen.init) == .frame("[1]"))
    #expect(second.map(Seen.init) == .frame("[2]"))
  }

  @Test func anyKindOfSequenceCanBeAppended() {
    var parser = FrameParser()
    parser.append("[1]".utf8)
    parser.append(Array(",\n".utf8)[1...])
    parser.append(repeatElement(UInt8(ascii: "["), count: 2))
    parser.append(AnySequence("]]\n".utf8))
    Array("{}\n".utf8).withUnsafeBytes { parser.append($0) }
    #expect(parser.next().map(Seen.init) == .frame("[1]"))
    #expect(parser.next().map(Seen.init) == .frame("[[]]"))
    #expect(parser.next().map(Seen.init) == .frame("{}"))
    #expect(parser.next() == nil)
  }
}
