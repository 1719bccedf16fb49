import TodoModel

/// The todos of all lists after the last change, with checks of the changes.
struct StoredWords {
  private var todos: [TodoListKey: [TodoID: Todo]] = [:]
  private var texts: [EditBase: TodoContent] = [:]

  /// Compares the todos of a list with its todos before the last change, and records them.
  ///
  /// - Returns: All words of the list.
  /// - Throws: A `Violation` if the change has removed a word that it was not allowed to remove.
  mutating func update(
    _ list: TodoListKey, to newTodos: [Todo], after event: String,
    mayRemove removable: Set<String>
  ) throws(Violation) -> Set<String> {
    let before = todos[list] ?? [:]
    var now: [TodoID: Todo] = [:]
    for todo in newTodos {
      now[todo.id] = todo
      texts[EditBase(list: list, id: todo.id, version: todo.version)] = todo.content
    }
    for (id, old) in before.sorted(by: { $0.key.text < $1.key.text }) {
      let lost = PaneWords.words(old).subtracting(now[id].map(PaneWords.words) ?? [])
        .subtracting(removable)
      guard lost.isEmpty else {
        throw Violation("\(lost.sorted()) of \(id) in \(list.text) are lost after \(event).")
      }
    }
    todos[list] = now
    return now.values.reduce(into: []) { $0.formUnion(PaneWords.words($1)) }
  }

  /// Returns the words of a todo, or of all todos.
  func words(of id: TodoID?) -> Set<String> {
    let todos = todos.values.flatMap { $0.values }.filter { id == nil || $0.id == id }
    return todos.reduce(into: []) { $0.formUnion(PaneWords.words($1)) }
  }

  /// Returns whether a todo had a label in the base version or in a later one.
  private func hasHad(label: String, since base: EditBase) -> Bool {
    texts.contains {
      $0.key.list == base.list && $0.key.id == base.id && $0.key.version >= base.version
        && $0.value.labels.texts.contains(label)
    }
  }

  /// Returns whether a field of a todo had a value in the base version or in a later one.
  private func hasHad(_ value: String, in field: String, since base: EditBase) -> Bool {
    texts.contains {
      $0.key.list == base.list && $0.key.id == base.id && $0.key.version >= base.version
        && $0.value.text(field) == value
    }
  }

  /// Checks that a save or decision whose outcome is not `asks` has stored its text. Throws a
  /// `Violation` if it has not.
  func check(_ request: PaneRequest) throws(Violation) {
    guard let base = request.base else { throw Violation("\(request.text) has no base.") }
    if request.action == "saveAsNew" {
      // As in a save, a text that the todo had since the base does not replace a newer one.
      let typed = request.values.filter { !hasHad($0.value, in: $0.key, since: base) }
      let words = PaneWords.words(typed.values)
      let stored = (todos[base.list] ?? [:]).values
      guard stored.contains(where: { words.isSubset(of: PaneWords.words($0)) }) else {
        throw Violation("No todo has the text of \(request.text).")
      }
      return
    }
    guard let todo = todos[base.list]?[base.id] else {
      throw Violation("\(request.text) stored nothing.")
    }
    var missing: Set<String> = []
    let shown = request.shown.mapValues { PaneWords.words($0) }
    switch request.action {
    case "save":
      missing = PaneWords.words(request.values["labels"] ?? "").filter {
        !hasHad(label: $0, since: base)
      }
      for (field, value) in request.values where field != "labels" {
        // The text may have been in the todo at some time since the base: the user typed it again,
        // or an earlier save without a response stored it. Then it does not replace a newer text.
        if todo.content.text(field) != value, !hasHad(value, in: field, since: base) {
          missing.insert(value)
        }
      }
    // A newer change of another client is merged. Words that both sides contain may then be
    // missing.
    case "saveMerged":
      let merged = request.values["merged"].map { PaneWords.words($0) } ?? shown["merged"] ?? []
      missing = merged.subtracting(shown["theirs"] ?? [])
      missing.formUnion(request.mergedLabels.filter { !hasHad(label: $0, since: base) })
    case "keepMine":
      missing = (shown["mine"] ?? []).subtracting(shown["theirs"] ?? [])
        .subtracting(shown["base"] ?? [])
    case "takeTheirs": break
    default: throw Violation("\(request.text) is not a save.")
    }
    if request.action != "save" { missing.subtract(PaneWords.words(todo)) }
    guard missing.isEmpty else {
      throw Violation("\(request.text) has not stored \(missing.sorted()).")
    }
  }
}

extension TodoContent {
  fileprivate func text(_ field: String) -> String {
    switch field {
    case "title": title
    case "labels": labels.texts.joined(separator: " ")
    default: note
    }
  }
}
