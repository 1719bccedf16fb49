import SQLiteDatabase
import System
import TodoModel

/// The state of documents in the database. A generation is a recorded version of a document.
extension SQLiteStore: DocumentMemory {
  package func openDocument(
    _ path: String, in list: TodoListKey
  ) throws(TodoError) -> Int64 {
    try database.change { connection throws(TodoError) in
      let tables = connection.tables
      let number = try tables.lists.number(of: list)
      let record = try findOrCreate(path, in: number, tables)
      if let owner = record.owner, owner != LeaseOwner.own, LeaseOwner.isAlive(owner) {
        throw TodoError(
          .busy,
          "Another todo-server (process \(owner.prefix { $0 != " " })) keeps \(path). End it first."
        )
      }
      try tables.documents.setOwner(LeaseOwner.own, of: record.row)
      return record.generation
    }
  }

  package func closeDocument(_ path: String, in list: TodoListKey) throws(TodoError) {
    try changeDocument(path, in: list) { (record, _, tables) throws(TodoError) in
      guard record.owner == LeaseOwner.own else { return }
      try tables.documents.setOwner(nil, of: record.row)
    }
  }

  package func changeToken(in list: TodoListKey) throws(TodoError) -> ChangeToken {
    try database.read { connection throws(TodoError) in
      try connection.snapshot { () throws(TodoError) in try connection.tables.changeToken(of: list)
      }
    }
  }

  package func readDocument(
    _ path: String, in list: TodoListKey
  ) throws(TodoError) -> DocumentContents {
    try adoptOrphans(path, in: list)
    while true {
      var (contents, unmarked) = try database.read { connection throws(TodoError) in
        try connection.snapshot { () throws(TodoError) in
          try connection.tables.contents(path, in: list)
        }
      }
      contents.acceptsNew = view(of: list)?.acceptsNew ?? true
      guard !unmarked.isEmpty else { return contents }
      try database.change { connection throws(TodoError) in
        let tables = connection.tables
        try tables.marks.assign(to: unmarked, in: try tables.lists.number(of: list))
      }
    }
  }

  package func reserveMarks(
    _ count: Int, in list: TodoListKey
  ) throws(TodoError) -> [ReservedMark] {
    let ids = (0..<count).map { _ in environment.newID() }
    let now = environment.now()
    return try database.change { connection throws(TodoError) in
      let tables = connection.tables
      let number = try tables.lists.number(of: list)
      // Makes each process that shows the list read it again, with the reserved marks.
      try tables.lists.recordEdit(in: number)
      return try tables.marks.reserve(for: ids, in: number, at: now)
    }
  }

  package func generation(
    _ number: Int64, of path: String, in list: TodoListKey
  ) throws(TodoError) -> DocumentGeneration? {
    try database.read { connection throws(TodoError) in
      try connection.snapshot { () throws(TodoError) in
        let tables = connection.tables
        guard let document = try tables.document(path, in: list) else { return nil }
        var generation = try tables.documents.generation(number, of: document.row)
        generation?.entries = try tables.entries(addedTo: number, in: document.row)
        return generation
      }
    }
  }

  package func unnumberedAdditions(
    to path: String, in list: TodoListKey
  ) throws(TodoError) -> [AdditionKey: EntryID] {
    try database.read { connection throws(TodoError) in
      try connection.snapshot { () throws(TodoError) in
        let tables = connection.tables
        guard let document = try tables.document(path, in: list) else { return [:] }
        return try tables.entries(addedTo: 0, in: document.row)
      }
    }
  }

  package func recordGeneration(
    _ next: NextGeneration, in list: TodoListKey
  ) throws(TodoError) {
    let now = environment.now()
    try changeDocument(next.path, in: list) { (record, number, tables) throws(TodoError) in
      try tables.documents.record(next, of: record.row, at: now)
      try tables.plainLines.deleteUnreferenced(in: number)
    }
  }

  package func appendGeneration(
    _ generation: DocumentGeneration, of path: String, in list: TodoListKey
  ) throws(TodoError) -> Int64 {
    let now = environment.now()
    var appended: Int64 = 0
    try changeDocument(path, in: list) { (record, number, tables) throws(TodoError) in
      let newest = try tables.documents.generation(record.generation, of: record.row)
      var next = generation
      next.number = record.generation + 1
      let difference = (newest ?? DocumentGeneration(number: record.generation))
        .difference(to: next, path: path)
      try tables.documents.record(difference, of: record.row, at: now)
      try tables.plainLines.deleteUnreferenced(in: number)
      appended = next.number
    }
    return appended
  }

  package func leaseDocument(
    _ path: String, in list: TodoListKey
  ) throws(TodoError) -> Int64 {
    try database.change { connection throws(TodoError) in
      let tables = connection.tables
      let number = try tables.lists.number(of: list)
      let record = try findOrCreate(path, in: number, tables)
      for owner in try tables.documents.editors(of: record.row) where !LeaseOwner.isAlive(owner) {
        try tables.documents.removeEditor(owner, from: record.row)
      }
      try tables.documents.addEditor(LeaseOwner.own, to: record.row)
      return record.generation
    }
  }

  package func releaseDocument(_ path: String, in list: TodoListKey) throws(TodoError) {
    try changeDocument(path, in: list) { (record, _, tables) throws(TodoError) in
      try tables.documents.removeEditor(LeaseOwner.own, from: record.row)
    }
  }

  package func isDocumentBorrowed(
    _ path: String, in list: TodoListKey
  ) throws(TodoError) -> Bool {
    try database.read { connection throws(TodoError) in
      try connection.snapshot { () throws(TodoError) in
        let tables = connection.tables
        guard let document = try tables.document(path, in: list) else { return false }
        return try tables.documents.editors(of: document.row).contains {
          $0 != LeaseOwner.own && LeaseOwner.isAlive($0)
        }
      }
    }
  }

  private func findOrCreate(
    _ path: String, in list: Int64, _ tables: TodoTables
  ) throws(TodoError) -> DocumentTable.Record {
    if let known = try tables.documents.record(of: path, in: list) { return known }
    return try tables.documents.make(path, in: list, numberedFrom: environment.newID())
  }

  private func changeDocument(
    _ path: String, in list: TodoListKey,
    _ body: (DocumentTable.Record, Int64, TodoTables) throws(TodoError) -> Void
  ) throws(TodoError) {
    try database.change { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list),
        let record = try tables.documents.record(of: path, in: number)
      else { throw .storage("The store does not know \(path) any more. Start again.") }
      try body(record, number, tables)
    }
  }

  /// Adds a separate todo for each text that conflicts with a removed todo.
  private func adoptOrphans(_ path: String, in list: TodoListKey) throws(TodoError) {
    let hasOrphans = try database.read { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list),
        let document = try tables.documents.record(of: path, in: number)
      else { return false }
      return try !tables.conflictTexts.orphans(in: document.row, of: number).isEmpty
    }
    guard hasOrphans else { return }
    _ = try saveDocument(DocumentSave(path: path, generation: 0, changes: []), in: list)
  }
}

extension TodoTables {
  /// Returns the entries that new lines of a document became, by the key of the line. Includes only
  /// the lines that are recorded for a generation (recorded version) of the document.
  ///
  /// - Parameter generation: 0 for saves whose generation was not known.
  fileprivate func entries(
    addedTo generation: Int64, in document: Int64
  ) throws(TodoError) -> [AdditionKey: EntryID] {
    let additions = try appliedLines.additions(to: generation, in: document)
    return Dictionary(additions.map { ($0.addition, $0.entry) }) { first, _ in first }
  }

  fileprivate func document(
    _ path: String, in list: TodoListKey
  ) throws(TodoError) -> DocumentTable.Record? {
    guard let number = try lists.knownNumber(of: list) else { return nil }
    return try documents.record(of: path, in: number)
  }

  fileprivate func changeToken(of list: TodoListKey) throws(TodoError) -> ChangeToken {
    guard let state = try lists.state(of: list) else { return ChangeToken(counts: []) }
    let sync = try outbox.counts(of: state.number)
    return ChangeToken(
      counts: [
        Int64(state.total), Int64(state.done), state.versions.order, state.versions.text,
        state.versions.edit, Int64(sync.conflicts),
      ])
  }

  /// Returns the contents of a document, and the todos that have no mark yet. The contents and the
  /// array are empty if the document is not stored.
  fileprivate func contents(
    _ path: String, in list: TodoListKey
  ) throws(TodoError) -> (DocumentContents, unmarked: [TodoID]) {
    guard let number = try lists.knownNumber(of: list),
      let document = try documents.record(of: path, in: number)
    else { return (DocumentContents(), []) }
    let (marks, assigned) = try self.marks.marks(in: number)
    var unmarked: [TodoID] = []
    let held = try conflictTexts.texts(in: document.row)
    var contents = DocumentContents(
      changeToken: try changeToken(of: list), texts: try plainLines.lines(in: number))
    contents.moves = try log.moves(in: number)
    contents.marks = assigned
    var query = TodoQuery(limit: .max)
    while true {
      let page = try pages.todos(query, .all, of: list)
      for todo in page.elements {
        if marks[todo.id] == nil { unmarked.append(todo.id) }
        contents.todos.append(
          DocumentTodo(
            id: todo.id, mark: marks[todo.id], version: todo.version, content: todo.content,
            sides: try sides(of: todo, held[todo.id] ?? [], in: number)))
      }
      guard page.isTruncated, !page.elements.isEmpty else { return (contents, unmarked) }
      query.offset += page.elements.count
    }
  }

  /// Returns all texts of a conflict: first the user's texts, then the text of the source or of the
  /// stored todo, with which the user's texts conflict. The array is empty if the todo has no
  /// conflict.
  private func sides(
    of todo: Todo, _ held: [TodoContent], in list: Int64
  ) throws(TodoError) -> [DocumentSide] {
    var conflict: SourceConflict?
    if todo.sync == .conflict { conflict = try todos.stored(todo.id, in: list)?.conflict }
    var mine = conflict == nil ? [] : [todo.content]
    let theirs = conflict?.merge.theirs ?? todo.content
    for content in held where content != theirs && !mine.contains(content) { mine.append(content) }
    guard !mine.isEmpty else { return [] }
    return mine.map { DocumentSide(.mine, $0) } + [DocumentSide(.theirs, theirs)]
  }
}
