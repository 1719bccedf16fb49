import TodoModel
import TodoStores

/// Todos to measure with, the same ones each time.
struct Corpus {
  let words: [String]

  static let list = TodoListKey(profile: "ann", source: "github:octo/tasks")

  init() {
    var random = Generator(state: 7)
    let letters = Array("etaoinshrdlucmfwypvbgk")
    words = (0..<20_000).map { _ in
      String(
        (0..<Int.random(in: 2...9, using: &random)).compactMap { _ in
          letters.randomElement(using: &random)
        })
    }
  }

  /// What a source delivers. Every title has the word "todo" and a number.
  func issue(_ number: Int, noteBytes: Int) -> Issue {
    var random = Generator(state: UInt64(number))
    func word() -> String { words[Int.random(in: 0..<words.count, using: &random)] }
    var note = ""
    while note.utf8.count < noteBytes { note += word() + " " }
    return Issue(
      number: Int64(number), url: "https://example.org/issues/\(number)",
      title: "Todo \(number) \(word()) \(word()) \(word())", body: note,
      isClosed: number.isMultiple(of: 3), createdAt: Timestamp(milliseconds: Int64(number)),
      updatedAt: Timestamp(milliseconds: Int64(number)))
  }

  /// Fills a store as a load does, page by page.
  func fill(_ store: SQLiteStore, count: Int, noteBytes: Int, pageCount: Int = 1_000) throws {
    for first in stride(from: 0, to: count, by: pageCount) {
      let page = (first..<min(first + pageCount, count)).map { issue($0 + 1, noteBytes: noteBytes) }
      try store.keep(page, at: first, in: Self.list)
    }
    try store.finishLoad(keeping: Set((1...Int64(count))), in: Self.list)
  }
}

/// SplitMix64.
struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
