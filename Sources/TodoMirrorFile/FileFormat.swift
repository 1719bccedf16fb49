import TodoDocument
import TodoModel

/// The format in which the user has saved a file: the line endings, and the form (bullet and tick)
/// of each todo's line. The mirror writes the file in the same format.
struct FileFormat: Equatable {
  /// Whether lines end with CR LF.
  var hasReturns = false
  /// The forms (bullet and tick) of the todos' lines that do not have the usual form, `LineForm()`.
  private(set) var forms: [TodoID: LineForm] = [:]

  /// Records the form of each todo's line in a saved document: its bullet and tick (`LineForm`).
  ///
  /// - Parameter entries: The todos and plain lines that were created from new lines of the
  ///   document.
  mutating func record(
    _ document: Document, _ matches: [EntryMatch], _ entries: [AdditionKey: EntryID]
  ) {
    for (entry, match) in zip(document.entries, matches) {
      guard case .todo(let line) = entry, line.hasBox else { continue }
      switch match {
      case .todo(let id, _): record(line.form, of: id)
      case .additions(let keys):
        if keys.count == 1, let id = entries[keys[0]]?.todoID { record(line.form, of: id) }
      case .text, .nothing: continue
      }
    }
  }

  private mutating func record(_ form: LineForm, of id: TodoID) {
    forms[id] = form == LineForm() ? nil : form
  }
}
