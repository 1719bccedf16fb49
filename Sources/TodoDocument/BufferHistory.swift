import TodoModel

/// A saved document that the store has applied, and the entries that its lines became.
package struct AppliedSave: Sendable {
  package var document: Document
  package var matches: [EntryMatch]
  package var entries: [AdditionKey: EntryID]

  package init(
    _ document: Document, _ matches: [EntryMatch], _ entries: [AdditionKey: EntryID]
  ) {
    (self.document, self.matches, self.entries) = (document, matches, entries)
  }
}

/// The entries that a buffer of one generation has shown, and the entries that its saved lines
/// became. A generation is a recorded version of a document, which the first line of the buffer
/// names.
///
/// The store records the lines that were printed for a generation. After a save, a buffer of this
/// generation contains other lines, which only this value records.
package struct BufferHistory: Sendable, Equatable {
  /// The printed lines, updated with each save; `nil` if the store does not have the generation.
  package var generation: DocumentGeneration?
  /// The entry of each new or edited line that a save has applied, by the key of the line.
  package var entries: [AdditionKey: EntryID] = [:]

  /// The relative dates that the lines of todos contained when the buffer was saved. Such a date is
  /// not resolved again on another day.
  package private(set) var savedDates: [TodoID: String] = [:]

  /// The version of each todo that the buffer shows. Used only if the store does not have the
  /// buffer's generation (recorded version of the document).
  package private(set) var versions: [TodoID: Int64] = [:]

  /// The entries that saves of the buffer have removed, including saves of other generations. The
  /// owner of this value sets this property.
  package var removed = RemovedEntries()

  package init(_ generation: DocumentGeneration?) { self.generation = generation }

  /// Records an applied save.
  ///
  /// - Parameter contents: The list right after the save.
  /// - Returns: The facts about the save. They must be merged into the histories of later
  ///   generations, because the buffer may already show one of these generations.
  package mutating func record(_ save: AppliedSave, _ contents: DocumentContents) -> SavedFacts {
    var history = SavedFacts()
    let shown = adopt(save, contents, &history)
    history.missing = (generation?.lines ?? [:]).filter { !shown.contains($0.key) }
    for id in history.missing.keys { generation?.lines[id] = nil }
    return history
  }

  /// Records an applied save without treating missing lines as removed.
  package mutating func adopt(_ save: AppliedSave, _ contents: DocumentContents) {
    var history = SavedFacts()
    _ = adopt(save, contents, &history)
  }

  /// Records an applied save, and returns the todos that its text shows.
  private mutating func adopt(
    _ save: AppliedSave, _ contents: DocumentContents, _ history: inout SavedFacts
  ) -> Set<TodoID> {
    entries.merge(save.entries) { _, new in new }
    generation?.lastMove = contents.lastMove
    let todos = Dictionary(contents.todos.map { ($0.id, $0) }) { first, _ in first }
    var shown = Set<TodoID>()
    for (entry, match) in zip(save.document.entries, save.matches) {
      switch (entry, match) {
      case (.todo(let line), .todo(let id, let isUntouched)):
        shown.insert(id)
        remember(line, todos[id], isUntouched: isUntouched, &history)
      case (.todo(let line), .additions(let keys)):
        guard keys.count == 1, let id = keys.first.flatMap({ entries[$0]?.todoID }) else {
          continue
        }
        shown.insert(id)
        remember(line, todos[id], isUntouched: false, &history)
      case (.text(let text), .additions(let keys)):
        guard let id = keys.first.flatMap({ entries[$0]?.textNumber }) else { continue }
        generation?.texts[id] = LineDigest.text(text)
        history.texts[id] = LineDigest.text(text)
      case (_, _): continue
      }
    }
    return shown
  }

  /// Records that the buffer shows the current version of a todo, if the saved line has the todo's
  /// content. For an edited line, also records the line's relative date. The recorded date becomes
  /// `nil` if the line has no relative date, or does not have the todo's content.
  private mutating func remember(
    _ line: DocumentLine, _ todo: DocumentTodo?, isUntouched: Bool, _ history: inout SavedFacts
  ) {
    guard let todo, !isUntouched || generation?.lines[todo.id]?.version != todo.version else {
      return
    }
    let isShown = todo.shows(line)
    if generation == nil {
      versions[todo.id] = isShown ? todo.version : versions[todo.id] ?? LineAnchor.firstVersion
    } else if isShown {
      generation?.lines[todo.id] = LineDigests(todo)
    }
    guard !isUntouched else { return }
    savedDates[todo.id] = isShown ? line.relativeDue : nil
    history.dates[todo.id] = savedDates[todo.id]
  }

  /// Forgets the printed lines that both a saved document and the list lack. If the user adds such
  /// a line again, by undo or from a clipboard, its entry is restored.
  package mutating func forgetLines(missingFrom document: Document, _ contents: DocumentContents) {
    guard var printed = generation else { return }
    for todo in contents.todos { printed.lines[todo.id] = nil }
    for text in contents.texts { printed.texts[text.id] = nil }
    guard !printed.lines.isEmpty || !printed.texts.isEmpty else { return }
    for entry in document.entries {
      if case .todo(let line) = entry, let mark = line.mark { printed.lines[mark.id] = nil }
    }
    let shown = Set(document.entries.map(\.digest))
    for id in printed.lines.keys { generation?.lines[id] = nil }
    for (id, digest) in printed.texts where !shown.contains(digest) { generation?.texts[id] = nil }
  }

  /// Forgets the typed lines that became the entries in `removed`. A save has removed these
  /// entries. If the user types such a line again, it is a new line.
  package mutating func forgetTyping(of removed: Set<EntryID>) {
    entries = entries.filter { !removed.contains($0.value) }
  }

  /// The facts about an applied save that hold for later generations, too.
  package struct SavedFacts {
    /// The todos that are missing from the saved text, with the digests of their printed lines.
    var missing: [TodoID: LineDigests] = [:]
    /// The digest of each plain line that the user typed. The key is the number of the line in the
    /// list.
    var texts: [Int64: Int64] = [:]
    /// The relative dates in the saved text, by todo.
    var dates: [TodoID: String] = [:]
  }

  /// Applies the facts about a save of an earlier generation to this generation. This is needed
  /// because the buffer may already have shown this generation when the store applied the save.
  package mutating func merge(_ history: SavedFacts) {
    for (id, line) in history.missing where generation?.lines[id] == line {
      generation?.lines[id] = nil
    }
    generation?.texts.merge(history.texts) { own, _ in own }
    savedDates.merge(history.dates) { own, _ in own }
  }
}

extension DocumentTodo {
  /// Returns whether a line has the content of the todo, apart from whitespace that storing
  /// removes; `false` for a conflict.
  package func shows(_ line: DocumentLine) -> Bool {
    guard sides.isEmpty, !line.isConflict else { return false }
    var written = line.content
    // On the day of the save, the relative date meant the date of the todo.
    if line.relativeDue != nil { written.due = content.due }
    if written == content { return true }
    return content == (try? NewTodo(written))?.content
  }
}
