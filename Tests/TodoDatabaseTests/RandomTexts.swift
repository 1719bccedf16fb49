import TodoModel

/// Random titles and notes that are difficult to store and to search; equal for equal seeds.
struct RandomTexts {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  static let pieces = [
    "milk", "Milch", "MILK", "café", "cafe\u{301}", "CAFÉ", "naïve", "strasse", "Straße", "漢字",
    "かな", "русский", "РУССКИЙ", "ελλάς", "12.5", "x", "xy", "xyz", "a-b", "a_b", "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽",
    "e\u{301}\u{323}", "\"quoted\"", "AND", "NEAR(a b)", "title:x", "*", "-", "'; DROP TABLE todo",
    "\u{200B}", "\u{FEFF}", "ﬁ", "İstanbul", "ǆ", "\u{10FFFF}",
  ]

  mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func flag() -> Bool { next() & 1 == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }

  mutating func title() -> String {
    let words = (0...below(4)).map { _ in pick(Self.pieces) ?? "" }.joined(separator: " ")
    return "t\(below(10)) " + words
  }

  /// Returns a note, which is usually short and sometimes long.
  mutating func note() -> String {
    let separators = [" ", "\r\n", "\n", "\r", "\t", "  "]
    var note = ""
    for _ in 0..<below(12) { note += (pick(Self.pieces) ?? "") + (pick(separators) ?? "") }
    return below(20) == 0 ? note + String(repeating: "lorem\r\n", count: 2_000) : note
  }

  mutating func draft() throws -> NewTodo { try NewTodo(title: title(), note: note()) }
}
