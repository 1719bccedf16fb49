import SQLiteDatabase
import TodoModel

extension SQLiteStore {
  package func saveDocument(
    _ save: DocumentSave, in list: TodoListKey
  ) throws(TodoError) -> DocumentReport {
    try change(list) { (tables, session) throws(TodoError) in
      guard let number = try tables.lists.knownNumber(of: list),
        let record = try tables.documents.record(of: save.path, in: number)
      else { throw .storage("The store does not know \(save.path) any more. Start again.") }
      var saving = DocumentSaving(
        list: number, isLocal: list.isLocal, document: record.row, generation: save.generation,
        tables: tables, session: session, environment: environment)
      for change in save.changes { try saving.take(change) }
      try saving.adoptOrphans()
      // Whoever shows the same document has to read it again.
      if save.changes.contains(where: \.changesTexts) { try tables.lists.noteEdit(in: number) }
      return saving.report
    }
  }
}

extension DocumentChange {
  /// Whether it changes lines that are no todos, or the texts of a conflict.
  fileprivate var changesTexts: Bool {
    switch self {
    case .add, .name: false
    // What cannot be joined is kept beside the todo.
    case .edit, .settle, .hold, .remove, .addTexts, .spaceText, .removeText: true
    }
  }
}

/// Does what a saved document asks for, within one transaction.
private struct DocumentSaving {
  let list: Int64
  let isLocal: Bool
  let document: Int64
  let generation: Int64
  let tables: TodoTables
  let session: HistorySession
  let environment: Environment
  var report = DocumentReport()

  mutating func take(_ change: DocumentChange) throws(TodoError) {
    switch change {
    case .add(let content, let addition): try add(content, addition)
    case .edit(let id, let edit): try self.edit(id, edit, dropping: [])
    case .settle(let id, let edit, let dropping): try self.edit(id, edit, dropping: dropping)
    case .hold(let id, let texts, let dropping): try hold(texts, against: id, dropping: dropping)
    case .remove(let id, let version, let dropping):
      try remove(id, at: version, dropping: dropping)
    case .addTexts(let texts, let above, let todo): try addTexts(texts, after: above, below: todo)
    case .spaceText(let id, let text):
      try tables.deeds.spaceText(id, text, in: document)
      report.textCount += 1
    case .removeText(let id):
      try tables.deeds.removeText(id, in: document)
      report.textCount += 1
    case .name(let addition, let id): try note(addition, became: id.text)
    }
  }

  mutating func adoptOrphans() throws(TodoError) {
    for orphan in try tables.deeds.orphans(in: document, of: list) {
      try insert(orphan.content)
      try tables.deeds.drop(orphan.digest, against: orphan.id, in: document)
    }
  }

  // MARK: Additions

  private mutating func add(
    _ content: TodoContent, _ addition: DocumentAddition
  ) throws(TodoError) {
    if let name = try tables.deeds.name(of: addition, generation, in: document) {
      // A text whose beginning is not known may have been typed again, long after.
      var there: TodoContent? = content
      if generation == 0 { there = try shown(TodoID(name))?.todo.content }
      if there?.title.hasSameBytes(as: content.title) == true, there?.isDone == content.isDone {
        report.knownCount += 1
        report.names[addition] = name
        return
      }
    }
    let name = try insert(content)
    try note(addition, became: name)
  }

  /// Adds a todo, or, where its text breaks a rule, the text. Its name.
  @discardableResult
  private mutating func insert(_ content: TodoContent) throws(TodoError) -> String {
    let draft: TodoDraft
    do throws(TodoError) {
      draft = try TodoDraft(title: content.title, note: content.note)
    } catch {
      report.textCount += 1
      let ids = try tables.deeds.addTexts(content.asTexts, after: nil, below: nil, in: document)
      return ids.map { String($0) }.joined(separator: " ")
    }
    let now = environment.now()
    let todo = Todo(
      id: environment.newID(),
      content: TodoContent(title: draft.title, note: draft.note, isDone: content.isDone),
      version: 1, createdAt: now, updatedAt: now, origin: nil, sync: isLocal ? .local : .pending)
    try tables.todos.insert(todo, at: tables.todos.topPlace(in: list), in: list)
    try tables.history.record(todo, replacing: nil, in: list, session: session)
    report.addedCount += 1
    return todo.id.text
  }

  private mutating func addTexts(
    _ texts: [TypedLine], after above: Int64?, below todo: TodoID?
  ) throws(TodoError) {
    var new: [TypedLine] = []
    for text in texts where try !isThere(text) { new.append(text) }
    report.knownCount += texts.count - new.count
    guard !new.isEmpty else { return }
    let ids = try tables.deeds.addTexts(
      new.map(\.text), after: above, below: todo, in: document)
    report.textCount += new.count
    for (id, text) in zip(ids, new) { try note(text.addition, became: String(id)) }
  }

  /// Whether it was taken before: of a text whose beginning is not known, whether it still stands.
  private mutating func isThere(_ text: TypedLine) throws(TodoError) -> Bool {
    guard let name = try tables.deeds.name(of: text.addition, generation, in: document) else {
      return false
    }
    report.names[text.addition] = name
    if generation != 0 { return true }
    return try tables.deeds.hasText(Int64(name) ?? 0, in: document)
  }

  // MARK: Edits

  /// - Parameter dropping: What the edit decides against.
  private mutating func edit(
    _ id: TodoID, _ edit: DocumentEdit, dropping: [Int64]
  ) throws(TodoError) {
    if let digest = edit.lineDigest,
      try tables.deeds.stoodThere(digest, of: id, at: edit.version, in: document)
    {
      report.knownCount += 1
      return
    }
    if try isDone(edit.ifGone) { return }
    guard let before = try shown(id) else {
      try note(edit.ifGone, became: try insert(edit.content))
      return
    }
    try note(edit.ifGone, became: id.text)
    for digest in dropping { try tables.deeds.drop(digest, against: id, in: document) }
    do throws(TodoError) {
      try save(content(after: edit, of: before, isDecision: !dropping.isEmpty), before)
    } catch {
      guard error.kind == .conflict || error.kind == .validation else { throw error }
      try tables.deeds.hold(edit.content, edit.sideDigest, against: id, in: document)
      report.conflictCount += 1
    }
  }

  private func content(
    after edit: DocumentEdit, of before: StoredTodo, isDecision: Bool
  ) throws(TodoError) -> StoredTodo {
    let fields = Set(edit.fields)
    let change = try TodoEdit(
      title: fields.contains(.title) ? edit.content.title : nil,
      note: fields.contains(.note) ? edit.content.note : nil,
      isDone: fields.contains(.done) ? edit.content.isDone : nil, expectedVersion: edit.version)
    var after = before
    let content = try tables.versions.content(after: change, of: before)
    if isDecision, let conflict = before.conflict, conflict.version == edit.version {
      after.resolve(to: content, at: environment.now())
    } else if content != before.todo.content {
      after.edit(to: content, at: environment.now())
    }
    return after
  }

  private mutating func hold(
    _ texts: [HeldText], against id: TodoID, dropping: [Int64]
  ) throws(TodoError) {
    for text in texts {
      if try isDone(text.ifGone) { continue }
      if try shown(id) != nil {
        try tables.deeds.hold(text.content, text.digest, against: id, in: document)
        report.conflictCount += 1
        try note(text.ifGone, became: id.text)
      } else {
        try note(text.ifGone, became: try insert(text.content))
      }
    }
    for digest in dropping {
      try tables.deeds.drop(digest, against: id, in: document)
      report.editedCount += 1
    }
  }

  private mutating func remove(
    _ id: TodoID, at version: Int64, dropping: [Int64]
  ) throws(TodoError) {
    guard let before = try shown(id), before.todo.version == version else { return }
    var after = before
    after.remove(at: environment.now())
    try save(after, before)
    for digest in dropping { try tables.deeds.drop(digest, against: id, in: document) }
    report.removedCount += 1
    report.editedCount -= 1
  }

  // MARK: Tables

  private func shown(_ id: TodoID) throws(TodoError) -> StoredTodo? {
    guard let found = try tables.todos.stored(id, in: list), !found.isRemoved else { return nil }
    return found
  }

  private mutating func save(_ after: StoredTodo, _ before: StoredTodo) throws(TodoError) {
    guard after.todo.version != before.todo.version else { return }
    try tables.todos.save(after, replacing: before)
    try tables.history.record(after.todo, replacing: before, in: list, session: session)
    report.editedCount += 1
  }

  /// Whether a line was taken before, with the same generation.
  private mutating func isDone(_ addition: DocumentAddition) throws(TodoError) -> Bool {
    guard try tables.deeds.name(of: addition, generation, in: document) != nil else { return false }
    guard generation != 0 else { return false }
    report.knownCount += 1
    return true
  }

  private mutating func note(
    _ addition: DocumentAddition, became name: String
  ) throws(TodoError) {
    report.names[addition] = name
    try tables.deeds.note(
      addition, generation, became: name, in: document, at: environment.now())
  }
}
