import TestSupport
import TodoDatabase
import TodoModel
import TodoStores

/// Pairs of queries: one with two words, and one with two qualifiers and one of these words.
private let pairs = [
  ("todo the", "is:open due:week the"), ("todo ta", "label:home due:<2026-12-01 ta"),
  ("a todo", "-label:home is:overdue a"), ("todo 1", "due:none no:label 1"),
  ("the t", "label:home,work is:open t"), ("a b", "due:2026-11-20..2026-12-10 -label:work b"),
]

/// Measures a page of a query with two qualifiers and a word. For comparison, measures a page of a
/// query with two words. The two kinds of queries alternate. A third of the todos have a date, and
/// half of the todos have a label.
func measureQualifiers() throws {
  let corpus = Corpus()
  var environment = Environment.live
  environment.days = .fixed(CivilDay("2026-11-27") ?? .first)
  let store = try SQLiteStore(at: .memory, environment: environment)
  let count = 100_000
  try corpus.fill(store, count: count, noteBytes: 200)
  try addFields(to: store, count: count)
  var (words, qualifiers) = (Samples(), Samples())
  var edits = 0
  // An edit before each query, so that no word or qualifier is known from an earlier query.
  func edit() throws {
    edits += 1
    if let row = try store.rows(TodoQuery(limit: 1), in: Corpus.list).elements.first {
      _ = try store.edit(row.id, TodoEdit(title: "Todo 1 \(edits)"), in: Corpus.list)
    }
  }
  for _ in 0..<20 {
    for (twoWords, withQualifiers) in pairs {
      try edit()
      _ = try words.time {
        try store.rows(TodoQuery(text: twoWords, limit: 50), in: Corpus.list)
      }
      try edit()
      _ = try qualifiers.time {
        try store.rows(TodoQuery(text: withQualifiers, limit: 50), in: Corpus.list)
      }
    }
  }
  for quantile in [0.5, 0.95] {
    let floor = words.quantile(quantile)
    show(
      "two qualifiers and a word, p\(Int(quantile * 100))",
      ("", "\(qualifiers.quantile(quantile))"), ("two words", "\(floor)"),
      ("ratio", qualifiers.quantile(quantile).ratio(to: floor)))
  }
}

/// Adds a date to every third todo, and a label to every second one.
private func addFields(to store: SQLiteStore, count: Int) throws {
  let rows = try store.rows(TodoQuery(limit: count), in: Corpus.list).elements
  for (index, row) in rows.enumerated() {
    var changes = FieldChanges()
    if index.isMultiple(of: 3) {
      let day = CivilDay("2026-11-27")?.adding(days: index / 3 % 60 - 30)
      changes[DueField.self] = .some(day.map { DueDate($0) })
    }
    if index.isMultiple(of: 2) {
      changes[LabelField.self] = LabelSet([index.isMultiple(of: 4) ? "home" : "work"])
    }
    if !changes.fields.isEmpty {
      _ = try store.edit(row.id, try TodoEdit(checking: changes), in: Corpus.list)
    }
  }
}
