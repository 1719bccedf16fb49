import TodoModel

/// Another user of the same store.
extension MirrorSimulation {
  private static let titleBytesMax = 300

  func letOtherUserAct() throws {
    do throws(TodoError) {
      try act()
    } catch {
      // Another change came first.
      guard [.conflict, .notFound, .nothingToUndo].contains(error.kind) else {
        throw Violation("The other user got an error: \(error)")
      }
      record("the other user: \(error.kind)")
    }
    plan(.changes, after: 0...300)
  }

  private func act() throws(TodoError) {
    let way = random.below(100)
    if way < 35 {
      let word = ledger.newWordOfOthers()
      let title = "By a second user \(word)"
      let text = random.flag() ? "" : TypedLedger.noteWithLineBreaks
      let todo = try store.add(try NewTodo(title: title, note: text), to: Self.list)
      record("the other user adds \(todo.id.text) \(word)")
      ledger.others.insert(word)
      return
    }
    let todos = try todos()
    guard let todo = random.pick(todos) else { return }
    switch way {
    case ..<50:
      try store.remove(todo.id, expectedVersion: todo.version, in: Self.list)
      record("the other user removes \(todo.id.text)")
      ledger.deleted.formUnion(TypedWord.all(in: todo))
    case ..<75 where todo.content.title.utf8.count < Self.titleBytesMax:
      let word = ledger.newWordOfOthers()
      var edit = try TodoEdit(title: "\(todo.content.title) \(word)")
      edit.expectedVersion = todo.version
      _ = try store.edit(todo.id, edit, in: Self.list)
      record("the other user edits \(todo.id.text) \(word)")
      ledger.others.insert(word)
    case ..<90:
      _ = try store.edit(todo.id, TodoEdit(isDone: !todo.content.isDone), in: Self.list)
      record("the other user toggles \(todo.id.text)")
    default: try travel(from: todos)
    }
  }

  /// Undoes or redoes a change. Words that are missing afterwards count as removed by a user who
  /// saw them.
  private func travel(from before: [Todo]) throws(TodoError) {
    let isUndo = random.happens(percent: 70)
    if isUndo {
      _ = try store.undo(in: Self.list)
    } else {
      _ = try store.redo(in: Self.list)
    }
    let old = before.reduce(into: Set<TypedWord>()) { $0.formUnion(TypedWord.all(in: $1)) }
    let new = try todos().reduce(into: Set<TypedWord>()) { $0.formUnion(TypedWord.all(in: $1)) }
    let changed = old.symmetricDifference(new).sorted()
    record("the other user \(isUndo ? "undoes" : "redoes") \(changed)")
    ledger.deleted.formUnion(old.subtracting(new))
  }
}
