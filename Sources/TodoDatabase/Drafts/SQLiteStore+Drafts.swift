import SQLiteDatabase
import TodoModel

extension SQLiteStore: DraftStore {
  package var hasDraftFiles: Bool {
    database.path.map { !DraftFolder(beside: $0).names.isEmpty } ?? false
  }

  package func importDrafts() throws(TodoError) {
    guard let path = database.path else { return }
    let folder = DraftFolder(beside: path)
    // The lock makes a second caller wait until the first one has imported the drafts.
    try draftImport.withLock { _ throws(TodoError) in
      for name in folder.names {
        guard let file = folder.openEnded(name), let drafts = file.drafts else { continue }
        let names = folder.names
        try database.change { connection throws(TodoError) in
          let tables = connection.tables
          try tables.drafts.forgetFiles(except: names)
          guard try tables.drafts.addFile(name) else { return }
          for record in drafts { try tables.importDraft(record) }
        }
        file.remove()
      }
    }
  }

  package func drafts(in list: TodoListKey) throws(TodoError) -> [StoredDraft] {
    try readDrafts(in: list) { (tables, number) throws(TodoError) in
      try tables.drafts.drafts(in: number, list)
    }
  }

  package func drafts(
    of id: TodoID, in list: TodoListKey
  ) throws(TodoError) -> [StoredDraft] {
    try readDrafts(in: list) { (tables, number) throws(TodoError) in
      try tables.drafts.drafts(of: id, in: number, list)
    }
  }

  package func draftedTodos(in list: TodoListKey) throws(TodoError) -> [DraftedTodo] {
    try readDrafts(in: list) { (tables, number) throws(TodoError) in
      try tables.drafts.draftedTodos(in: number)
    }
  }

  package func discardDrafts(
    _ numbers: [Int64], in list: TodoListKey
  ) throws(TodoError) {
    if numbers.isEmpty { return }
    try database.change { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return }
      try tables.drafts.discard(numbers, in: number)
    }
  }

  /// Adds a draft to the store.
  package func addDraft(_ text: UnsavedText, at time: Timestamp) throws(TodoError) {
    try add(DraftRecord(text, at: time))
  }

  /// Adds a draft from the JSON text of a record in a draft file.
  package func addDraft(_ json: String) throws(TodoError) {
    guard let record = DraftRecord(json: json.utf8), record.text != nil else {
      throw TodoError(.validation, "This is not a draft: \(json)")
    }
    try add(record)
  }

  private func add(_ record: DraftRecord) throws(TodoError) {
    try database.change { connection throws(TodoError) in
      try connection.tables.importDraft(record)
    }
  }

  /// Reads the drafts of a list; returns an empty array for a list that is not in the database.
  private func readDrafts<Value: Sendable>(
    in list: TodoListKey, _ body: (TodoTables, Int64) throws(TodoError) -> [Value]
  ) throws(TodoError) -> [Value] {
    try database.read { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return [] }
      return try body(tables, number)
    }
  }
}

extension TodoTables {
  /// Adds a draft, and deletes the stored drafts that it continues. Does nothing if a stored draft
  /// continues this draft, or if the user has saved the text of this draft.
  fileprivate func importDraft(_ record: DraftRecord) throws(TodoError) {
    guard let text = record.text else { return }
    let draft = Draft(base: record.base, edit: text.edit)
    let list = try lists.number(of: draft.base.list)
    let todo = try todos.stored(draft.base.id, in: list)
    // The process may have ended before it removed the draft of a save. Later saves may have
    // replaced the text since then.
    if let todo, !todo.isRemoved,
      try log.hasSatisfied({ draft.isStored(in: $0) }, todo, after: draft.base.version)
    {
      return
    }
    let others = try drafts.drafts(of: draft.base.id, in: list, draft.base.list)
    let continued = others.filter { draft.continues($0.draft) }
    if continued.isEmpty, others.contains(where: { $0.draft.continues(draft) }) { return }
    try drafts.discard(continued.map(\.number), in: list)
    try drafts.add(draft, text, in: list)
  }
}
