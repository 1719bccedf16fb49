import System
import TestSupport

extension Benchmark {
  /// Measures an import of 100,000 todos into a new file. The floor is SQLite's own shell, which
  /// inserts the same rows into one table with the same full-text index.
  mutating func measureImport() throws(BenchmarkError) {
    let (lines, rows) = (folder.path("todos.ndjson"), folder.path("todos.csv"))
    try RandomTodos(count: 100_000).write(lines: lines, table: rows)
    var fileCount = 0
    let runs = try inTurn(columns, runCount: 3) { (column) throws(BenchmarkError) in
      fileCount += 1
      let file = folder.path("import-\(fileCount).sqlite")
      let clock = ContinuousClock()
      let start: ContinuousClock.Instant
      switch column.kind {
      case .floor:
        try runToEnd(["sqlite3", file, Self.table])
        start = clock.now
        try runToEnd(["sqlite3", file, ".mode csv", ".import \(rows) t"])
      case .todoServer:
        start = clock.now
        try column.importTodos(from: lines, into: file)
      case .empty, .other: return nil
      }
      return start.duration(to: clock.now) / .milliseconds(1)
    }
    table.add("import of 100,000 (floor: sqlite3), ms", runs, digits: 0)
  }

  private static let table = """
    CREATE TABLE t (id TEXT PRIMARY KEY, title, note, done, place, created, updated);
    CREATE VIRTUAL TABLE w USING fts5 (
      title, note, content = 't', detail = none, prefix = '1 2');
    CREATE TRIGGER added AFTER INSERT ON t BEGIN
      INSERT INTO w (rowid, title, note) VALUES (new.rowid, new.title, new.note);
    END;
    """
}

extension Column {
  func importTodos(from lines: String, into file: String) throws(BenchmarkError) {
    try runToEnd(command + ["import", "--name", "Ann", "--store", "sqlite:\(file)"], input: lines)
  }
}

/// Todos of random words. The seeds are fixed, so the todos are the same each time.
struct RandomTodos {
  let count: Int

  static func id(_ number: Int) -> String { "id\(number)" }

  /// Writes the todos as lines of an export and, if `table` is not `nil`, as a CSV table. No word
  /// contains a character that must be quoted.
  func write(lines: String, table: String?) throws(BenchmarkError) {
    let words = RandomWords()
    var (export, rows) = (#"{"format":"todo-server","version":1}"# + "\n", "")
    let time = "2026-01-31T08:15:00.000Z"
    for number in 1...count {
      var random = SplitMix64(seed: UInt64(number))
      let id = Self.id(number)
      let title = "Todo \(number) \(words.text(byteCount: 15, using: &random))"
      let note = words.text(byteCount: 200, using: &random)
      let isDone = number.isMultiple(of: 3)
      export +=
        #"{"id":"\#(id)","title":"\#(title)","note":"\#(note)","done":\#(isDone),"#
        + #""order":\#(number),"createdAt":"\#(time)","updatedAt":"\#(time)"}"# + "\n"
      rows += "\(id),\(title),\(note),\(isDone ? 1 : 0),\(number),\(time),\(time)\n"
    }
    try write(export, to: lines)
    if let table { try write(rows, to: table) }
  }

  private func write(_ text: String, to path: String) throws(BenchmarkError) {
    guard let file = fopen(path, "w") else { throw BenchmarkError("\(path) cannot be written") }
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw BenchmarkError("\(path) cannot be written")
    }
  }
}
