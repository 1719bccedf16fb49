import Testing

@testable import TodoModel

@Suite("Merging texts")
struct TextMergeTests {
  @Test(
    "Lines that only one side changed are taken from it",
    arguments: [
      ("a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC"),
      ("a\nb\nc\n", "a\nb\nc\nd\n", "b\nc\n", "b\nc\nd\n"),
      ("a\nb", "a", "x\na\nb", "x\na"),
      ("", "mine", "", "mine"),
      ("a", "a\nb", "a", "a\nb"),
      ("a\nb\nc", "a\nc", "a\nc", "a\nc"),
      ("a\r\nb\r\nc", "a\nb\nc", "a\r\nb\r\nC", "a\nb\nC"),
      ("a\nb", "a\nb\nc", "a\r\nb\r\n", "a\r\nb\nc"),
    ])
  func cleanLines(base: String, mine: String, theirs: String, expected: String) {
    let merge = TextMerge(base: base, mine: mine, theirs: theirs, by: .lines)
    #expect(merge.text.hasSameBytes(as: expected), "\(merge.text.debugDescription)")
    #expect(!merge.hasConflict)
    #expect(!TextMerge.hasMarkerPair(merge.text))
  }

  @Test(
    "If both sides changed the same lines, both are kept as a conflict",
    arguments: [
      ("a\nb\nc", "a\nx\nc", "a\ny\nc", "a\n<<< mine\nx\n=== theirs\ny\n>>>\nc"),
      (nil, "a\nx\nc\nd", "a\ny\nc", "a\n<<< mine\nx\n=== theirs\ny\n>>>\nc\nd"),
      ("a\nb", "a", "a\nc", "a\n<<< mine\n=== theirs\nc\n>>>"),
      ("cafe\u{301}", "caf\u{E9}", "x", "<<< mine\ncaf\u{E9}\n=== theirs\nx\n>>>"),
    ])
  func opposedLines(base: String?, mine: String, theirs: String, expected: String) {
    let merge = TextMerge(base: base, mine: mine, theirs: theirs, by: .lines)
    #expect(merge.text.hasSameBytes(as: expected), "\(merge.text.debugDescription)")
    #expect(merge.hasConflict)
    #expect(TextMerge.hasMarkerPair(merge.text))
  }

  @Test(
    "Words of a title",
    arguments: [
      ("Buy milk today", "Buy oat milk today", "Buy milk tomorrow", "Buy oat milk tomorrow"),
      ("Buy milk", "Buy bread", "Buy tea", "Buy <<< bread === tea >>>"),
      ("Buy milk", "Get milk", "Buy milk", "Get milk"),
      (nil, "Buy milk", "Buy milk today", "Buy milk today"),
      (nil, "milk", "bread", "<<< milk === bread >>>"),
    ])
  func words(base: String?, mine: String, theirs: String, expected: String) {
    let merge = TextMerge(base: base, mine: mine, theirs: theirs, by: .words)
    #expect(merge.text == expected)
    #expect(merge.hasConflict == expected.contains("==="))
    #expect(TextMerge.hasMarkerPair(merge.text) == expected.contains("==="))
  }

  @Test(
    "Two kinds of markers are a pair, whatever is written next to them",
    arguments: [
      "a\r\n<<< mine\r\nx\r\n=== theirs\r\ny\r\n>>>", "a\nx\n=== theirs\ny\n>>>",
      "<<< mine\nx\ny\n>>>and so on", "Buy<<< bread === tea",
    ])
  func markerPair(text: String) { #expect(TextMerge.hasMarkerPair(text)) }

  @Test("One kind of marker is not a pair", arguments: ["", "2 >>> 1", "a <<< b <<< c", "======"])
  func singleMarker(text: String) { #expect(!TextMerge.hasMarkerPair(text)) }

  @Test("Markers of an earlier conflict give way to those of the next")
  func notNested() {
    let mine = "a\n<<< mine\nx\n=== theirs\ny\n>>>\nb"
    let merge = TextMerge(base: "a\nb", mine: mine, theirs: "a\nz\nb", by: .lines)
    #expect(merge.text == "a\n<<< mine\nx\ny\n=== theirs\nz\n>>>\nb")
    let words = TextMerge(
      base: "Buy milk", mine: "Buy <<< oat === soy >>> milk", theirs: "Buy rice milk", by: .words)
    #expect(words.text == "Buy <<< oat soy === rice >>> milk")
  }

  @Test("Markers stay where nothing conflicts")
  func markersWithoutConflict() {
    let mine = "<<< mine\nx\n=== theirs\ny\n>>>\nb"
    #expect(TextMerge(base: "b", mine: mine, theirs: "b\nc", by: .lines).text == mine + "\nc")
  }

  @Test("Texts with more lines than are compared are one place, and nothing of them is lost")
  func longTexts() {
    let count = TextMerge.piecesComparedMax
    let base = (0..<count).map { "\($0)" }.joined(separator: "\n")
    let mine = (0..<count).map { "mine \($0)" }.joined(separator: "\n")
    let theirs = (0..<count).map { "theirs \($0)" }.joined(separator: "\n")
    let merge = TextMerge(base: base, mine: mine, theirs: theirs, by: .lines)
    #expect(merge.text == "<<< mine\n\(mine)\n=== theirs\n\(theirs)\n>>>")
    #expect(merge.hasConflict)
    let oneLine = base.replacing("\n1000\n", with: "\nthousand\n")
    #expect(TextMerge(base: base, mine: base, theirs: oneLine, by: .lines).text == oneLine)
  }

  @Test("Random edits: one side alone is taken, and the same on both sides is taken once")
  func randomEdits() {
    var generator = SplitMix(state: 7)
    for _ in 0..<500 {
      let base = generator.lines()
      let edited = generator.edit(base)
      let text = base.joined(separator: "\n")
      let other = edited.joined(separator: "\n")
      for (mine, theirs) in [(other, text), (text, other), (other, other)] {
        let merge = TextMerge(base: text, mine: mine, theirs: theirs, by: .lines)
        #expect(merge.text == other && !merge.hasConflict)
      }
    }
  }
}

/// Small random numbers that are the same on every run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func lines() -> [String] {
    (0..<Int.random(in: 0...8, using: &self)).map { _ in
      ["a", "b", "c", "d"].randomElement(using: &self) ?? ""
    }
  }

  mutating func edit(_ lines: [String]) -> [String] {
    lines.flatMap { line -> [String] in
      switch Int.random(in: 0...5, using: &self) {
      case 0: []
      case 1: ["x"]
      case 2: [line, "y"]
      default: [line]
      }
    }
  }
}
