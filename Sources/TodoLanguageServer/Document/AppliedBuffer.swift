import TodoDocument
import TodoModel

/// A saved text, and the result of its save.
struct AppliedBuffer: Sendable {
  var read: ReadText
  var matches: [EntryMatch]
  /// The changes that the store was asked to apply; `nil` for a text that an earlier server process
  /// has saved.
  var requested: DocumentSave?
  var report = DocumentReport()

  init(read: ReadText, matches: [EntryMatch], requested: DocumentSave? = nil) {
    (self.read, self.matches, self.requested) = (read, matches, requested)
  }

  /// Creates a value for the text of `didOpen`, which an earlier server process may have saved.
  /// Only these lines count as saved:
  /// - A new line, if an earlier server process has added its entry to the list, and the entry is
  ///   still in the list. If the text has no generation yet (`generation` has the number 0), the
  ///   line must also show the present content of the entry, because the user may have typed the
  ///   line again long after the save.
  /// - A line of a todo, if it shows the present content of the todo.
  init(
    before read: ReadText, madeFrom generation: DocumentGeneration, now contents: DocumentContents,
    path: String
  ) {
    let listed = Set(
      contents.todos.map { EntryID.todo($0.id) } + contents.texts.map { EntryID.text($0.id) })
    let entries = generation.entries.filter { listed.contains($0.value) }
    let isKnown = generation.number > 0
    let merge = read.merge(
      madeFrom: BufferHistory(isKnown ? generation : nil), now: contents, path: path)
    let todos = Dictionary(contents.todos.map { ($0.id, $0) }) { first, _ in first }
    let texts = Dictionary(contents.texts.map { ($0.id, $0) }) { first, _ in first }
    func shows(_ entry: Document.Entry, _ id: EntryID?) -> Bool {
      switch entry {
      case .todo(let line): id?.todoID.flatMap { todos[$0]?.shows(line) } ?? false
      case .text(let text):
        id?.textNumber.flatMap { texts[$0]?.text.hasSameLine(as: text) } ?? false
      }
    }
    let matches = zip(read.document.entries, merge.matches).map { entry, match -> EntryMatch in
      switch match {
      case .additions(let keys) where isKnown:
        keys.allSatisfy { entries[$0] != nil } ? match : .nothing
      case .additions(let keys):
        keys.count == 1 && shows(entry, entries[keys[0]]) ? match : .nothing
      case .todo(let id, _): shows(entry, .todo(id)) ? match : .nothing
      case .text, .nothing: .nothing
      }
    }
    self.init(read: read, matches: matches)
    for case .additions(let keys) in matches {
      for key in keys { report.entries[key] = entries[key] }
    }
  }

  var applied: AppliedSave { AppliedSave(read.document, matches, report.entries) }

  /// Returns the saved lines by todo; `entries` has the IDs of the entries that the save added.
  func lines(_ entries: [AdditionKey: EntryID]) -> [TodoID: AppliedLine] {
    var lines: [TodoID: AppliedLine] = [:]
    for (entry, match) in zip(read.document.entries, matches) {
      guard case .todo(let line) = entry else { continue }
      let appliedLine = AppliedLine(mark: line.mark, digest: line.digest)
      switch match {
      case .todo(let id, _): lines[id] = appliedLine
      case .additions(let keys):
        guard keys.count == 1, let id = keys.first.flatMap({ entries[$0]?.todoID }) else {
          continue
        }
        lines[id] = appliedLine
      case .text, .nothing: continue
      }
    }
    return lines
  }

  /// Returns the todos of changed and added lines, by line number. A changed line is included only
  /// if it shows the content that its todo has in `contents`.
  func todos(
    _ entries: [AdditionKey: EntryID], _ contents: DocumentContents
  ) -> [Int: TodoID] {
    var lines: [TodoID: [(index: Int, isAdded: Bool)]] = [:]
    for (index, match) in matches.enumerated() {
      switch match {
      case .todo(let id, isUntouched: false): lines[id, default: []].append((index, false))
      case .additions(let keys):
        guard keys.count == 1, let id = keys.first.flatMap({ entries[$0]?.todoID }) else {
          continue
        }
        lines[id, default: []].append((index, true))
      case .todo, .text, .nothing: continue
      }
    }
    var todos: [Int: TodoID] = [:]
    for todo in contents.todos {
      for (index, isAdded) in lines[todo.id] ?? [] {
        guard case .todo(let line) = read.document.entries[index], isAdded || todo.shows(line)
        else { continue }
        todos[read.text.lineNumber(at: read.places.entries[index].lowerBound)] = todo.id
      }
    }
    return todos
  }
}

extension String {
  /// Whether two texts (`PlainLine.text`) contain the same plain line. Whitespace at the start and
  /// the end, such as the blank lines around the line, makes no difference.
  fileprivate func hasSameLine(as other: String) -> Bool {
    LineDigest.text(self) == LineDigest.text(other)
  }
}
