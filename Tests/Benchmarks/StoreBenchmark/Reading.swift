import TestSupport
import TodoDatabase
import TodoModel
import TodoStores

/// The texts of the queries. Their words are contained in no todo, in a few todos or in all todos.
private let searches = ["todo", "t", "todo 1", "ta", "the", "todo 99999", "qqq", "a b c"]

/// Measures how long it takes to read a page of whole todos that match a search. For comparison,
/// measures FTS5 alone with two SQL statements, one for the page and one for the count.
func measureSearch() throws {
  let corpus = Corpus()
  let folder = TemporaryFolder()
  let store = try SQLiteStore(at: .file(folder.path("todos.sqlite")), environment: .live)
  try corpus.fill(store, count: 100_000, noteBytes: 200)
  let bare = try BareSQLite(path: folder.path("bare.sqlite"))
  try bare.execute("BEGIN; CREATE VIRTUAL TABLE t USING fts5 (title, note)")
  for number in 1...100_000 {
    let issue = corpus.issue(number, noteBytes: 200)
    try bare.run("INSERT INTO t (title, note) VALUES (?, ?)", issue.title, issue.body)
  }
  try bare.execute("COMMIT")
  var (pages, bares) = (Samples(), Samples())
  for round in 0..<20 {
    for search in searches {
      // An edit before each round, so that nothing is known from the round before.
      if search == searches.first,
        let row = try store.rows(TodoQuery(limit: 1), in: Corpus.list).elements.first
      {
        _ = try store.edit(row.id, TodoEdit(title: "Todo 1 \(round)"), in: Corpus.list)
      }
      let query = TodoQuery(text: search, limit: 50)
      _ = try pages.time { try store.todos(query, in: Corpus.list) }
      let words = search.split(separator: " ").map { "\"\($0)\"*" }.joined(separator: " AND ")
      try bares.time {
        try bare.run("SELECT title, note FROM t WHERE t MATCH ? ORDER BY rowid LIMIT 50", words)
        try bare.run("SELECT count(*) FROM t WHERE t MATCH ?", words)
      }
    }
  }
  let floor = bares.quantile(0.95)
  show("bare FTS5, page and count, p95", ("", "\(floor)"))
  show(
    "page of 50 with a query, p95", ("", "\(pages.quantile(0.95))"),
    ("of the bare query", pages.quantile(0.95).ratio(to: floor)))
}

/// Measures opening a file and reading its first window, for a file with many todos and for one
/// with few.
func measureStart() throws {
  let folder = TemporaryFolder()
  let counts = [10, 100_000]
  for count in counts {
    let store = try SQLiteStore(at: .file(folder.path("\(count).sqlite")), environment: .live)
    try Corpus().fill(store, count: count, noteBytes: 200)
  }
  var samples = [Samples(), Samples()]
  for _ in 0..<100 {
    for (index, count) in counts.enumerated() {
      try samples[index].time {
        let path = folder.path("\(count).sqlite")
        let store = try SQLiteStore(at: .file(path), environment: .live)
        _ = try store.rows(TodoQuery(limit: 50), in: Corpus.list)
      }
    }
  }
  let (few, many) = (samples[0].quantile(0.5), samples[1].quantile(0.5))
  show("open, window of 50, 10 todos", ("p50", "\(few)"))
  show(
    "open, window of 50, 100,000", ("p50", "\(many)"), ("of the start with 10", many.ratio(to: few))
  )
}

/// Measures the queries for each prefix of several texts, as a user types them. Each query returns
/// a page and the total.
func measureTyping() throws {
  let store = try SQLiteStore(at: .memory, environment: .live)
  try Corpus().fill(store, count: 100_000, noteBytes: 200)
  let texts = ["todo 99", "the", "a b c", "todo note", "milk and bread", "sentence", "t t t t"]
  for limit in [50, 100] {
    var samples = Samples()
    var worst = (text: "", time: Time(wall: 0, processor: 0))
    for round in 0..<10 {
      // A change since the last round makes all cached results invalid.
      let title = try TodoEdit(title: "Todo 1 \(round)")
      if let row = try store.rows(TodoQuery(limit: 1), in: Corpus.list).elements.first {
        _ = try store.edit(row.id, title, in: Corpus.list)
      }
      for text in texts {
        for end in text.indices {
          let typed = String(text[...end])
          let query = TodoQuery(text: typed, limit: limit)
          _ = try samples.time { try store.rows(query, in: Corpus.list) }
          if samples.last.processor > worst.time.processor { worst = (typed, samples.last) }
        }
      }
    }
    show(
      "filter typed, page of \(limit)", ("p50", "\(samples.quantile(0.5))"),
      ("p95", "\(samples.quantile(0.95))"),
      ("worst", "\(worst.time) for \"\(worst.text)\""))
  }
}

/// Measures windows of 100 todos, from the first to the last window and in random order.
func measureScroll() throws {
  let store = try SQLiteStore(at: .memory, environment: .live)
  try Corpus().fill(store, count: 100_000, noteBytes: 200)
  var random = SplitMix64(seed: 3)
  let inOrder = Array(stride(from: 0, to: 100_000, by: 100))
  for (name, offsets) in [
    ("windows of 100 in order", inOrder),
    ("windows of 100 at random", inOrder.shuffled(using: &random)),
  ] {
    var samples = Samples()
    try samples.time {
      for offset in offsets {
        _ = try store.rows(TodoQuery(offset: offset, limit: 100), in: Corpus.list)
      }
    }
    let time = samples.quantile(0.5)
    show(
      name, ("", "\(short(Double(offsets.count) / time.wall * 1_000)) a second"),
      ("by the processor", "\(short(Double(offsets.count) / time.processor * 1_000))"))
  }
}
