import TestSupport
import TodoDatabase
import TodoModel
import TodoStores

/// The todos of the benchmark. They are the same each time.
struct Corpus {
  let words = RandomWords()

  static let list = TodoListKey(profile: "ann", source: "github:octo/tasks")

  /// Returns an issue of a source. Its title contains the word "todo" and a number.
  func issue(_ number: Int, noteBytes: Int) -> Issue {
    var random = SplitMix64(seed: UInt64(number))
    func word() -> String { words.word(using: &random) }
    let note = words.text(byteCount: noteBytes, using: &random)
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
      _ = try store.mergeRemote(page.map { RemoteItem($0) }, of: nil, to: Self.list)
    }
  }
}
