import JSONRPC
import SQLiteDatabase
import TodoModel

extension SQLiteStore: TodoExchange {
  /// Writes lists as lines of JSON from one snapshot, in chunks. The lines contain no terminal
  /// control characters.
  ///
  /// First, each todo that its source does not have yet gets a marker, which also stays in this
  /// store. Every store with the todo searches the source for this marker before it creates the
  /// item.
  ///
  /// - Throws: `notFound` if the scope names a profile, but no list of this profile is exported;
  ///   `busy` if other processes add todos all the time; `storage`; and the errors of `write`.
  package func exportLines(
    of scope: ExportScope, to write: @escaping ([UInt8]) throws(TodoError) -> Void
  ) throws(TodoError) {
    try importDrafts()
    try database.withWriter { connection throws(TodoError) in
      for _ in 0..<Self.markingRoundsMax {
        try markAdditions(in: scope, over: connection)
        let isWritten = try connection.snapshot { () throws(TodoError) in
          try exportLines(of: scope, over: connection.tables, to: write)
        }
        if isWritten { return }
      }
      throw TodoError(.busy, "Other programs add todos all the time. Try again.")
    }
  }

  /// The maximum number of attempts to export. An attempt fails if another process adds a todo
  /// between the marking and the snapshot.
  private static var markingRoundsMax: Int { 100 }

  /// Creates a marker for each new todo that was not sent to its source, and that no export
  /// contains yet.
  private func markAdditions(
    in scope: ExportScope, over connection: Connection
  ) throws(TodoError) {
    let exchange = connection.tables.exchange
    func additions() throws(TodoError) -> [StoredTodo] {
      var all: [StoredTodo] = []
      for (number, _) in try exchange.lists(in: scope) {
        all += try exchange.unmarkedAdditions(in: number)
      }
      return all
    }
    // If there are no such additions, nothing is written to the store.
    guard try !additions().isEmpty else { return }
    let now = environment.now()
    try connection.change { () throws(TodoError) in
      for stored in try additions() {
        let new = ItemMarker(of: stored.todo.id, at: now, random: .random(in: 0...Int64.max))
        let exported = ExportedAddition(
          marker: stored.sent?.marker ?? new, content: stored.sent?.content ?? stored.todo.content,
          since: stored.sent?.openUntil ?? now)
        try connection.tables.todos.save(exported, of: stored.row)
      }
    }
  }

  /// Writes the lines of an export from one snapshot.
  ///
  /// - Returns: `false`, without having written a line, if a todo that was not sent to the source
  ///   yet has no `ItemMarker`.
  private func exportLines(
    of scope: ExportScope, over tables: TodoTables,
    to write: @escaping ([UInt8]) throws(TodoError) -> Void
  ) throws(TodoError) -> Bool {
    let exchange = tables.exchange
    let lists = try exchange.lists(in: scope)
    if let profile = scope.profile, lists.isEmpty {
      throw TodoError(.notFound, "There is no list of \"\(profile)\". Check --name, --source.")
    }
    for (number, _) in lists {
      guard try exchange.unmarkedAdditions(in: number).isEmpty else { return false }
    }
    var writer = ExchangeWriter(write)
    try writer.header()
    for (number, key) in lists {
      try writer.add(.list, ExchangeList(key: key).members)
      try exchange.eachTodo(in: number) { stored throws(TodoError) in
        try writer.line(TodoLine.members(of: stored))
      }
      try exchange.eachChange(in: number) { change throws(TodoError) in
        try writer.add(.change, change.members)
      }
      try tables.drafts.each(in: number, key) { draft throws(TodoError) in
        try writer.add(.draft, ExportedDraft(draft).members)
      }
      try tables.marks.each(in: number) { mark, id, reservedAt throws(TodoError) in
        let line = ExportedMark(mark: mark, id: id, reservedAt: reservedAt)
        try writer.add(.mark, line.members)
      }
      try tables.documentExchange.write(list: number, to: &writer)
    }
    try writer.end()
    return true
  }
}
