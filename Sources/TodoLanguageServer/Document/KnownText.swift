import TodoDocument
import TodoModel

/// What a buffer with a certain first line is known to have shown, and what of it was taken.
///
/// The store remembers what was printed under a generation. A buffer under the same first line may
/// have been saved since, and then shows what it was saved with: that is known here only, for as
/// long as the buffer is open.
struct KnownText: Sendable, Equatable {
  /// Nil where the generation was forgotten, or never was.
  var generation: DocumentGeneration?
  /// Typed lines that were taken, and the entries that they became.
  var entries: [DocumentAddition: EntryID] = [:]

  /// The relative dates that todos were saved with and that are still in the buffer. They do not count
  /// again, from another day.
  private(set) var savedDates: [TodoID: String] = [:]

  /// What was removed from the buffer, whichever text it was made from; `GenerationCache` says it.
  var removed = RemovedLines()

  init(_ generation: DocumentGeneration?) { self.generation = generation }

  /// Records that a text was taken.
  ///
  /// - Parameter contents: what the list had right after it.
  /// - Returns: What other texts that the buffer may have become meanwhile do not know.
  mutating func note(_ save: TakenSave, _ contents: DocumentContents) -> BufferHistory {
    var history = BufferHistory()
    let shown = takeOver(save, contents, &history)
    history.missing = (generation?.lines ?? [:]).filter { !shown.contains($0.key) }
    for id in history.missing.keys { generation?.lines[id] = nil }
    return history
  }

  /// Records a text that was taken, of which nothing is missing.
  mutating func takeOver(_ save: TakenSave, _ contents: DocumentContents) {
    var history = BufferHistory()
    _ = takeOver(save, contents, &history)
  }

  /// The todos that the text shows.
  private mutating func takeOver(
    _ save: TakenSave, _ contents: DocumentContents, _ history: inout BufferHistory
  ) -> Set<TodoID> {
    entries.merge(save.report.entries) { _, new in new }
    generation?.lastMove = contents.lastMove
    let todos = Dictionary(contents.todos.map { ($0.id, $0) }) { first, _ in first }
    var shown = Set<TodoID>()
    for (entry, meaning) in zip(save.read.document.entries, save.meanings) {
      switch (entry, meaning) {
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

  /// Remembers a line as it was taken.
  private mutating func remember(
    _ line: DocumentLine, _ todo: DocumentTodo?, isUntouched: Bool, _ history: inout BufferHistory
  ) {
    guard let todo else { return }
    let isShown = todo.shows(line)
    if isShown { generation?.lines[todo.id] = RememberedLine(todo) }
    guard !isUntouched else { return }
    savedDates[todo.id] = isShown ? line.relativeDue : nil
    history.dates[todo.id] = savedDates[todo.id]
  }

  mutating func forgetTyping(of removed: Set<EntryID>) {
    entries = entries.filter { !removed.contains($0.value) }
  }

  /// What a text has shown when it was taken.
  struct BufferHistory {
    /// Todos that were missing in it, as they had stood there.
    var missing: [TodoID: RememberedLine] = [:]
    /// Typed lines that are no todos, by what they are in the list.
    var texts: [Int64: Int64] = [:]
    /// The relative dates of its todos.
    var dates: [TodoID: String] = [:]
  }

  /// Records the history of an earlier text, from which the buffer was this one already.
  mutating func merge(_ history: BufferHistory) {
    for (id, line) in history.missing where generation?.lines[id] == line {
      generation?.lines[id] = nil
    }
    generation?.texts.merge(history.texts) { own, _ in own }
    savedDates.merge(history.dates) { own, _ in own }
  }
}

extension DocumentTodo {
  /// Whether a line says what the todo is, but for white space that no todo has.
  func shows(_ line: DocumentLine) -> Bool {
    guard sides.isEmpty, !line.isConflict else { return false }
    var written = line.content
    // It was the date of the todo on the day when it was saved.
    if line.relativeDue != nil { written.due = content.due }
    if written == content { return true }
    return content == (try? TodoDraft(written))?.content
  }
}
