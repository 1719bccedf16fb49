import TestSupport
import TodoDatabase
import TodoModel
import TodoStores

/// Measures durable edits in the store. For comparison, measures a single insert with SQLite alone,
/// into another file on the same disk.
func measureEdit() throws {
  let folder = TemporaryFolder()
  let store = try SQLiteStore(at: .file(folder.path("todos.sqlite")), environment: .live)
  try Corpus().fill(store, count: 1_000, noteBytes: 200)
  let rows = try store.rows(TodoQuery(), in: Corpus.list).elements
  let bare = try BareSQLite(path: folder.path("bare.sqlite"))
  try bare.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, title TEXT, note TEXT)")
  var (edits, ticks, inserts) = (Samples(), Samples(), Samples())
  let note = String(repeating: "note ", count: 40)
  for (round, row) in rows.enumerated() {
    let title = try TodoEdit(title: "Changed \(round)")
    _ = try edits.time { try store.edit(row.id, title, in: Corpus.list) }
    _ = try inserts.time {
      try bare.run("INSERT INTO t (title, note) VALUES (?, ?)", "Changed \(round)", note)
    }
    let tick = TodoEdit(isDone: !row.isDone)
    _ = try ticks.time { try store.edit(row.id, tick, in: Corpus.list) }
  }
  let floor = inserts.quantile(0.5)
  show("bare insert, FULL, p50", ("", "\(floor)"))
  show(
    "edit of a title, p50", ("", "\(edits.quantile(0.5))"),
    ("of the insert", edits.quantile(0.5).ratio(to: floor)))
  show(
    "edit of done, p50", ("", "\(ticks.quantile(0.5))"),
    ("of the insert", ticks.quantile(0.5).ratio(to: floor)))
}

/// Measures adding a todo with the largest possible note, of characters that are expensive for the
/// full-text index.
func measureLargestNote() throws {
  let store = try SQLiteStore(at: .memory, environment: .live)
  for (name, text) in [
    ("words", "word "), ("emoji", "😀"), ("emoji of several", "👨‍👩‍👧‍👦"), ("Hangul", "각"),
    ("marks by turns", "\u{301}\u{323}"),
  ] {
    let note = String(repeating: text, count: NoteField.bytesMax / text.utf8.count)
    var samples = Samples()
    for round in 0..<5 {
      let draft = try NewTodo(title: "\(name) \(round)", note: note)
      _ = try samples.time { try store.add(draft, to: Corpus.list) }
    }
    show("add of 1 MiB, \(name)", ("", "\(samples.quantile(0.5))"))
  }
}

/// Measures two loads of the same todos from a source: into an empty list, and then into the list
/// that already has these todos.
func measureReload() throws {
  let corpus = Corpus()
  let store = try SQLiteStore(at: .memory, environment: .live)
  var (first, second) = (Samples(), Samples())
  try first.time { try corpus.fill(store, count: 100_000, noteBytes: 200) }
  try second.time { try corpus.fill(store, count: 100_000, noteBytes: 200) }
  var making = Samples()
  making.time {
    for number in 1...100_000 { _ = corpus.issue(number, noteBytes: 200) }
  }
  show("first load of 100,000", ("", "\(first.quantile(0.5))"))
  show("load of 100,000 unchanged", ("", "\(second.quantile(0.5))"))
  show("of each, making the issues", ("", "\(making.quantile(0.5))"))
}
