import System
import TestSupport
import TodoModel
import TodoStores

/// An import beside what SQLite's own shell needs for the same rows, into one plain table and into
/// one that is searched by words, too, as the store's is.
func measureImport() throws {
  let folder = TemporaryFolder()
  let corpus = Corpus()
  let (lines, table) = (folder.path("todos.ndjson"), folder.path("todos.csv"))
  try write(corpus, lines: lines, table: table)
  var (own, plain, searched) = (Samples(), Samples(), Samples())
  for round in 0..<3 {
    let store = try SQLiteStore(at: .file(folder.path("\(round).sqlite")), environment: .live)
    try own.time {
      let input = open(lines, O_RDONLY | O_CLOEXEC)
      defer { close(input) }
      _ = try store.importLines(LineReader(descriptor: input), profile: "ann")
    }
    try plain.time(shellImport: table, into: folder.path("plain.\(round)"), index: "")
    try searched.time(shellImport: table, into: folder.path("searched.\(round)"), index: wordIndex)
  }
  let time = own.quantile(0.5).wall
  show("import of 100,000", ("", "\(own.quantile(0.5))"))
  for (name, samples) in [("with a word index", searched), ("one plain table", plain)] {
    let shell = samples.quantile(0.5).wall
    show(
      "sqlite3's own, \(name)", ("", "\(short(shell)) ms"), ("import", "\(short(time / shell)) x"))
  }
}

extension Samples {
  fileprivate mutating func time(shellImport table: String, into path: String, index: String) throws
  {
    let columns = "id TEXT PRIMARY KEY, title, note, done, place, created, updated"
    try run("sqlite3", path, "CREATE TABLE t (\(columns)); \(index)")
    try time { try run("sqlite3", path, ".mode csv", ".import \(table) t") }
  }
}

private let wordIndex = """
  CREATE VIRTUAL TABLE w USING fts5 (title, note, content = 't', detail = none, prefix = '1 2');
  CREATE TRIGGER added AFTER INSERT ON t BEGIN
    INSERT INTO w (rowid, title, note) VALUES (new.rowid, new.title, new.note);
  END;
  """

/// The same todos as lines of an export and as a table. No word of them needs a quotation.
private func write(_ corpus: Corpus, lines: String, table: String) throws {
  guard let lineFile = fopen(lines, "w"), let tableFile = fopen(table, "w") else {
    throw ChildFailed(order: "no temporary file")
  }
  defer {
    fclose(lineFile)
    fclose(tableFile)
  }
  fputs(#"{"format":"todo-server","version":1}"# + "\n", lineFile)
  for number in 1...100_000 {
    let issue = corpus.issue(number, noteBytes: 200)
    let time = Timestamp(milliseconds: Int64(number)).description
    fputs(
      #"{"id":"id\#(number)","title":"\#(issue.title)","note":"\#(issue.body)","#
        + #""done":\#(issue.isClosed),"order":\#(number),"createdAt":"\#(time)","#
        + #""updatedAt":"\#(time)"}"# + "\n", lineFile)
    fputs(
      "id\(number),\(issue.title),\(issue.body),\(issue.isClosed ? 1 : 0),\(number),\(time),"
        + "\(time)\n", tableFile)
  }
}
