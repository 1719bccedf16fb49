import TodoModel

/// Operations on drafts.
extension OperationWorker {
  /// Opens the form for a todo, or the comparison if the todo is in conflict with its source. If
  /// the todo has a draft, restores the draft into the form. If the todo has several drafts, opens
  /// the screen on which the user chooses one.
  func open(_ id: TodoID, from reads: any LocalReads) throws(TodoError) -> ListResult {
    let drafts = try unsavedDrafts(of: id, from: reads)
    if let choice = DraftChoice(drafts) { return .openedDrafts(choice) }
    if let draft = drafts.first { return try reopen(RestoredDraft(draft), from: reads) }
    let todo = try reads.todo(id, in: list)
    if let conflict = try conflict(of: todo) { return .openedConflict(ConflictSides(conflict)) }
    return .opened(todo)
  }

  /// Opens the form for a todo with the draft that the user has chosen.
  func openDraft(
    _ number: Int64, of id: TodoID, from reads: any LocalReads
  ) throws(TodoError) -> ListResult {
    let drafts = try drafts?.store.drafts(of: id, in: list) ?? []
    guard let draft = drafts.first(where: { $0.number == number }) else {
      throw TodoError(.notFound, "This unsaved text was saved or discarded elsewhere.")
    }
    return try reopen(RestoredDraft(draft, among: drafts), from: reads)
  }

  /// Opens a form again, with the unsaved text that a front-end has sent, such as after a restart
  /// of the server.
  func reopen(_ text: FormText, from reads: any LocalReads) throws(TodoError) -> ListResult {
    let others = try drafts?.store.drafts(of: text.draft.base.id, in: list) ?? []
    return try reopen(RestoredDraft(text, among: others), among: others, from: reads)
  }

  private func reopen(
    _ restored: RestoredDraft, among others: [StoredDraft] = [], from reads: any LocalReads
  ) throws(TodoError) -> ListResult {
    let draft = restored.draft
    guard let todo = try todoInList(draft.base.id, from: reads) else {
      // The text of a removed todo can be saved as a new todo.
      return .openedRemoved(
        restored, try lastVersion(ofRemoved: draft.base.id),
        base: try reads.content(of: draft.base.id, at: draft.base.version, in: list))
    }
    guard case .merged = draft.edit else { return .opened(todo, restored) }
    if let conflict = try conflict(of: todo) {
      return .openedConflict(ConflictSides(conflict), restored)
    }
    // The merged text was stored, but the front-end did not receive the response.
    if draft.isStored(in: todo.content) { return .opened(todo) }
    // If the edit that caused the conflict is not known, the merged text is used in place of it.
    var restored = restored
    restored.addMine(among: others)
    let mine = restored.draft.mine
    let changes = mine?.changes ?? draft.changes
    let edit = (try? TodoEdit(checking: changes).resolved(on: store.days.today).changes) ?? changes
    let base = try mine.flatMap { mine throws(TodoError) in
      try reads.content(of: todo.id, at: mine.version, in: list)
    }
    return .openedConflict(
      ConflictSides(base: base, edit: edit.applied(to: base ?? todo.content), of: todo), restored)
  }

  /// Returns the drafts of a todo, but discards each draft whose text was saved in the todo.
  private func unsavedDrafts(
    of id: TodoID, from reads: any LocalReads
  ) throws(TodoError) -> [StoredDraft] {
    guard let drafts = drafts?.store else { return [] }
    let all = try drafts.drafts(of: id, in: list)
    guard !all.isEmpty, let todo = try? reads.todo(id, in: list) else { return all }
    let saved = all.filter { $0.draft.isStored(in: todo.content) }
    try drafts.discardDrafts(saved.map(\.number), in: list)
    return all.filter { !saved.contains($0) }
  }

  /// Imports the drafts of ended processes.
  func importDrafts() throws(TodoError) -> ListResult {
    if let drafts {
      // If the user has logged out and in again, the text from before the logout is imported, too.
      drafts.log.flush()
      try drafts.store.importDrafts()
    }
    return try draftedTodos(isFirst: true)
  }

  func listDrafts() throws(TodoError) -> ListResult {
    .answered(.answered(.drafts(try drafts?.store.drafts(in: list) ?? [])))
  }

  func discardDrafts(_ numbers: [Int64]) throws(TodoError) -> ListResult {
    try drafts?.store.discardDrafts(numbers, in: list)
    return try draftedTodos()
  }

  func draftedTodos(isFirst: Bool = false) throws(TodoError) -> ListResult {
    .drafted(try drafts?.store.draftedTodos(in: list) ?? [], isFirst: isFirst)
  }

  /// Discards the drafts whose text the operation has stored: the drafts that were restored into
  /// the form, and other drafts with the same text.
  func endDrafts() {
    // If this fails, the drafts are discarded when the todo is next opened.
    if !entry.drafts.isEmpty { try? drafts?.store.discardDrafts(entry.drafts, in: list) }
    guard let id = entry.savedTodo, let reads = store.localReads else { return }
    _ = try? unsavedDrafts(of: id, from: reads)
  }
}
