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
      if save.changes.contains(where: \.changesTodos) { try tables.checkIsWritable(list) }
      var saving = DocumentSaving(
        list: number, isLocal: list.isLocal, view: view(of: list), document: record.row,
        wanted: save, tables: tables, session: session, environment: environment)
      for change in save.changes { try saving.apply(change) }
      try saving.adoptOrphans()
      // Each process that shows the same document must read it again.
      if save.changes.contains(where: \.changesText) { try tables.lists.recordEdit(in: number) }
      return saving.report
    }
  }
}

extension DocumentChange {
  fileprivate var changesTodos: Bool {
    switch self {
    case .add, .addMarked, .edit, .settle, .keepConflict, .remove, .restore: true
    case .name, .move: false
    case .addLines, .respaceLine, .removeLine: false
    }
  }

  /// Whether the change may affect the text of the document. If so, the save counts as an edit of
  /// the list (`ListTable.recordEdit`), because the SQL triggers count only changes of todos.
  fileprivate var changesText: Bool {
    if case .name = self { false } else { true }
  }
}

/// A save of a document, whose changes are applied to the store within one transaction. The save
/// names its generation, if it is known: the recorded version of the document on which the save is
/// based.
struct DocumentSaving {
  let list: Int64
  let isLocal: Bool
  let view: RemoteView?
  let document: Int64
  let wanted: DocumentSave
  let tables: TodoTables
  let session: HistorySession
  let environment: Environment
  var report = DocumentReport()
  private var earlier: AppliedLines?
  /// The entries that were matched with lines of this save. They are not removed.
  private var matchedEntries = Set<EntryID>()
  /// The new and edited lines of earlier saves that are recorded for the generation of this save,
  /// grouped by the entry that each line became. Read when this save first removes or edits an
  /// entry; `nil` before.
  private var earlierLines: [EntryID: [AdditionKey]]?
  /// The time of all removals of the save, by which `Outbox` recognizes that they belong together.
  private lazy var removedAt = environment.now()

  var generation: Int64 { wanted.generation }

  init(
    list: Int64, isLocal: Bool, view: RemoteView?, document: Int64, wanted: DocumentSave,
    tables: TodoTables, session: HistorySession, environment: Environment
  ) {
    self.view = view
    (self.list, self.isLocal, self.document, self.wanted) = (list, isLocal, document, wanted)
    (self.tables, self.session, self.environment) = (tables, session, environment)
  }

  mutating func apply(_ change: DocumentChange) throws(TodoError) {
    switch change {
    case .add(let content, let addition, let position): try add(content, addition, position)
    case .addMarked(let id, let edit, let position): try add(id, edit, position)
    case .edit(let id, let edit): try self.edit(id, edit, dropping: [])
    case .settle(let id, let edit, let dropping): try self.edit(id, edit, dropping: dropping)
    case .keepConflict(let id, let texts, let dropping):
      try keepConflict(texts, against: id, dropping: dropping)
    case .remove(let id, let version, let dropping):
      try remove(id, at: version, dropping: dropping)
    case .restore(let id, let edit): try restore(id, edit)
    case .addLines(let texts, let position): try addLines(texts, position)
    case .respaceLine(let id, let text):
      try tables.plainLines.replace(id, with: text, in: list)
      report.textCount += 1
    case .removeLine(let id):
      // The line is not missing if it was matched with a line of this save, such as after a move.
      guard !matchedEntries.contains(.text(id)) else { return }
      try tables.plainLines.remove(id, from: list)
      try forgetLines(of: .text(id))
      report.textCount += 1
    case .name(let addition, let id): try record(addition, became: .todo(id))
    case .move(let entry, let position): try move(entry, position)
    }
  }

  mutating func adoptOrphans() throws(TodoError) {
    for orphan in try tables.conflictTexts.orphans(in: document, of: list) {
      try insert(orphan.content, .below(.todo(orphan.id)))
      try tables.conflictTexts.drop(orphan.digest, against: orphan.id, in: document)
    }
  }

  // MARK: Additions

  mutating func add(
    _ content: TodoContent, _ addition: AdditionKey, _ position: LinePosition
  ) throws(TodoError) {
    guard try !isAlreadyAdded(content, addition) else { return }
    if let before = try applyEarlier({ $0.popTodo(before: content) }) {
      try forgetLines(of: .todo(before.todo.id))
      try grow(before, to: content)
      return try record(addition, became: .todo(before.todo.id))
    }
    if let before = try applyEarlier({ $0.popText(before: content) }) {
      try forgetLines(of: .text(before))
      try tables.plainLines.remove(before, from: list)
      report.textCount += 1
    }
    try record(addition, became: try insert(content, position))
  }

  /// Calls `pop` with the entries that earlier saves added (`AppliedLines`). Returns the result.
  private mutating func applyEarlier<Line>(
    _ pop: (inout AppliedLines) -> Line?
  ) throws(TodoError) -> Line? {
    var lines: AppliedLines
    if let earlier {
      lines = earlier
    } else {
      lines = try AppliedLines(before: wanted, in: document, of: list, tables: tables)
    }
    defer { earlier = lines }
    return pop(&lines)
  }

  private mutating func grow(_ before: StoredTodo, to line: TodoContent) throws(TodoError) {
    var content = before.todo.content
    content.copy(ContentField.inDocument, from: line)
    // Another user may have ticked the todo. As in `Merge`, a todo done on either side is done.
    if before.todo.version > 1, before.todo.content.isDone { content.isDone = true }
    var after = before
    after.edit(to: content, at: environment.now())
    try save(after, before)
  }

  /// Whether an earlier save has already added this line. If the current save names no generation,
  /// the todo must still have the line's title and done state, because the user may have typed the
  /// same line again long after the earlier save.
  private mutating func isAlreadyAdded(
    _ content: TodoContent, _ addition: AdditionKey
  ) throws(TodoError) -> Bool {
    guard let entry = try tables.appliedLines.entry(of: addition, generation, in: document) else {
      return false
    }
    if generation == 0 {
      let there = try entry.todoID.flatMap { id throws(TodoError) in try shown(id) }?.todo.content
      guard let there, there.title.hasSameBytes(as: content.title), there.isDone == content.isDone
      else { return false }
    }
    report.knownCount += 1
    report(addition, entry)
    return true
  }

  /// Adds a todo, or plain lines if its content breaks a rule or the list accepts no new todos.
  /// Returns the todo, or the first plain line.
  @discardableResult
  mutating func insert(
    _ content: TodoContent, _ position: LinePosition, as id: TodoID? = nil
  ) throws(TodoError) -> EntryID {
    let draft: NewTodo
    do throws(TodoError) {
      // If no todo can be added, the line is kept as text.
      if view?.acceptsNew == false { throw .addingRefused }
      draft = try NewTodo(content)
    } catch {
      report.textCount += 1
      if error == .addingRefused { report.refusedCount += 1 }
      let ids = try tables.plainLines.add(content.plainLines, stored(position), to: list)
      return .text(ids.first ?? 0)
    }
    var content = draft.content
    if let view { content.labels = content.labels.union(view.labels) }
    let now = environment.now()
    let todo = Todo(
      id: id ?? environment.newID(),
      content: content, version: 1, createdAt: now, updatedAt: now, origin: nil,
      sync: isLocal ? .local : .pending)
    try tables.todos.insert(
      todo, at: tables.order.place(stored(position), in: list), origin(at: now))
    report.addedCount += 1
    return .todo(todo.id)
  }

  private mutating func addLines(
    _ texts: [NewLine], _ position: LinePosition
  ) throws(TodoError) {
    var position = position
    for text in texts {
      if try isAlreadyAdded(text) {
        report.knownCount += 1
      } else if let before = try applyEarlier({ $0.popText(before: text.text) }) {
        try forgetLines(of: .text(before))
        try insert(text, .below(.text(before)))
        try tables.plainLines.remove(before, from: list)
      } else {
        try insert(text, position)
      }
      position = .belowAddition(text.addition)
    }
  }

  private mutating func insert(
    _ text: NewLine, _ position: LinePosition
  ) throws(TodoError) {
    let ids = try tables.plainLines.add([text.text], stored(position), to: list)
    for id in ids { try record(text.addition, became: .text(id)) }
    report.textCount += 1
  }

  /// Whether an earlier save has already added this plain line. If the current save names no
  /// generation, the line must also still exist.
  private mutating func isAlreadyAdded(_ text: NewLine) throws(TodoError) -> Bool {
    guard let entry = try tables.appliedLines.entry(of: text.addition, generation, in: document)
    else {
      return false
    }
    report(text.addition, entry)
    if generation != 0 { return true }
    return try entry.textNumber.flatMap { number throws(TodoError) in
      try tables.plainLines.text(number, in: list)
    } != nil
  }

  // MARK: Edits

  /// Applies an edit. `dropping` contains the digests of the conflicting texts that the edit
  /// rejects.
  mutating func edit(
    _ id: TodoID, _ edit: DocumentEdit, dropping: [Int64]
  ) throws(TodoError) {
    let origin = try origin(of: edit, of: id)
    if origin == .known {
      report.knownCount += 1
      return
    }
    if try isDone(edit.additionKey) { return }
    guard let before = try shown(id) else { return try editRemoved(id, edit) }
    try forgetLines(of: .todo(id))
    try record(edit.additionKey, became: .todo(id))
    if origin == .earlier { return try keepConflict(edit.content, edit.sideDigest, against: id) }
    for digest in dropping { try tables.conflictTexts.drop(digest, against: id, in: document) }
    do throws(TodoError) {
      try save(content(after: edit, of: before, isDecision: !dropping.isEmpty), before)
    } catch {
      guard error.kind == .conflict || error.kind == .validation else { throw error }
      try keepConflict(edit.content, edit.sideDigest, against: id)
    }
  }

  /// Adds a text to the conflict of a todo, and removes earlier, shorter versions of the text.
  mutating func keepConflict(
    _ content: TodoContent, _ digest: Int64, against id: TodoID
  ) throws(TodoError) {
    for earlier in try tables.conflictTexts.texts(against: id, in: document)
    where LineContinuation.isGrown(content, from: earlier.content) {
      try tables.conflictTexts.drop(earlier.digest, against: id, in: document)
    }
    try tables.conflictTexts.keepConflict(content, digest, against: id, in: document)
    report.conflictCount += 1
  }

  private func content(
    after edit: DocumentEdit, of before: StoredTodo, isDecision: Bool
  ) throws(TodoError) -> StoredTodo {
    let change = try TodoEdit(checking: edit.changes, expectedVersion: edit.version)
    var after = before
    let content = try tables.log.content(after: change, of: before)
    if isDecision, let conflict = before.conflict, conflict.version == edit.version {
      after.resolve(to: content, at: environment.now())
    } else if content != before.todo.content {
      after.edit(to: content, at: environment.now())
    }
    return after
  }

  private mutating func keepConflict(
    _ texts: [ConflictText], against id: TodoID, dropping: [Int64]
  ) throws(TodoError) {
    for text in texts {
      if try isDone(text.additionKey) { continue }
      if try shown(id) != nil {
        try keepConflict(text.content, text.digest, against: id)
        try record(text.additionKey, became: .todo(id))
      } else {
        try add(text.content, text.additionKey, .below(.todo(id)))
      }
    }
    for digest in dropping {
      try tables.conflictTexts.drop(digest, against: id, in: document)
      report.editedCount += 1
    }
  }

  private mutating func remove(
    _ id: TodoID, at version: Int64, dropping: [Int64]
  ) throws(TodoError) {
    guard !matchedEntries.contains(.todo(id)), let before = try shown(id),
      before.todo.version == version
    else { return }
    var after = before
    after.remove(at: removedAt)
    try save(after, before)
    for digest in dropping { try tables.conflictTexts.drop(digest, against: id, in: document) }
    try forgetLines(of: .todo(id))
    report.removedCount += 1
    report.editedCount -= 1
  }

  private mutating func restore(_ id: TodoID, _ edit: DocumentEdit) throws(TodoError) {
    guard let before = try tables.todos.stored(id, in: list),
      let restored = try? TodoEdit(checking: edit.changes)
    else { return try add(edit.content, edit.additionKey, .below(.todo(id))) }
    // Another user has restored the todo already.
    guard before.isRemoved else { return try self.edit(id, edit, dropping: []) }
    var after = before
    after.restore(to: restored.applied(to: before.todo.content), at: environment.now())
    try save(after, before)
    report.addedCount += 1
    report.editedCount -= 1
  }

  /// Deletes the records of the lines of earlier saves that became an entry. Called when the entry
  /// is removed or its line is edited. If the user adds such a line again in the same generation,
  /// it counts as new or edited again.
  private mutating func forgetLines(of entry: EntryID) throws(TodoError) {
    var lines: [EntryID: [AdditionKey]]
    if let earlierLines {
      lines = earlierLines
    } else {
      let present = wanted.additions
      let recorded = try tables.appliedLines.lines(of: generation, in: document)
        .filter { !present.contains($0.addition) }
      lines = Dictionary(grouping: recorded, by: \.entry).mapValues { $0.map(\.addition) }
    }
    for addition in lines.removeValue(forKey: entry) ?? [] {
      try tables.appliedLines.forget(addition, generation, in: document)
    }
    earlierLines = lines
  }

  // MARK: Tables

  func shown(_ id: TodoID) throws(TodoError) -> StoredTodo? {
    guard let found = try tables.todos.stored(id, in: list), !found.isRemoved else { return nil }
    return found
  }

  mutating func save(_ after: StoredTodo, _ before: StoredTodo) throws(TodoError) {
    guard after.todo.version != before.todo.version else { return }
    try tables.todos.save(after, replacing: before, origin(at: after.todo.updatedAt))
    report.editedCount += 1
  }

  /// Whether an earlier save already applied this line for the generation of the current save;
  /// `false` if the current save names no generation.
  private mutating func isDone(_ addition: AdditionKey) throws(TodoError) -> Bool {
    guard try tables.appliedLines.entry(of: addition, generation, in: document) != nil else {
      return false
    }
    guard generation != 0 else { return false }
    report.knownCount += 1
    return true
  }

  mutating func record(
    _ addition: AdditionKey, became entry: EntryID
  ) throws(TodoError) {
    report(addition, entry)
    let now = environment.now()
    try tables.appliedLines.record(addition, generation, became: entry, in: document, at: now)
    for later in wanted.later {
      try tables.appliedLines.recordLater(addition, later, became: entry, in: document, at: now)
    }
  }

  private mutating func report(_ addition: AdditionKey, _ entry: EntryID) {
    report.entries[addition] = entry
    matchedEntries.insert(entry)
  }

  func origin(at now: Timestamp) -> ChangeOrigin {
    ChangeOrigin(list: list, author: .document, at: now, session: session)
  }
}
