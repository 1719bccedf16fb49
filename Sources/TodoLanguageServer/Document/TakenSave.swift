import TodoDocument
import TodoModel

/// A text that was saved, and what came of it.
struct TakenSave: Sendable {
  var read: ReadText
  var meanings: [EntryMeaning]
  /// What the store was asked to do.
  var wanted: DocumentSave?
  var report = DocumentReport()

  init(read: ReadText, meanings: [EntryMeaning], wanted: DocumentSave? = nil) {
    (self.read, self.meanings, self.wanted) = (read, meanings, wanted)
  }

  /// Of a text as it was opened, only what was taken before and is still in the list.
  init(
    before read: ReadText, madeFrom generation: DocumentGeneration, now contents: DocumentContents,
    path: String
  ) {
    let listed = Set(
      contents.todos.map { EntryID.todo($0.id) } + contents.texts.map { EntryID.text($0.id) })
    let entries = generation.entries.filter { listed.contains($0.value) }
    let merge = read.merge(madeFrom: KnownText(generation), now: contents, path: path)
    let meanings = merge.meanings.map { meaning -> EntryMeaning in
      guard case .additions(let keys) = meaning, keys.allSatisfy({ entries[$0] != nil })
      else {
        return .nothing
      }
      return meaning
    }
    self.init(read: read, meanings: meanings)
    for case .additions(let keys) in meanings {
      for key in keys { report.entries[key] = entries[key] }
    }
  }

  /// The lines of todos as they stood there.
  func lines(_ entries: [DocumentAddition: EntryID]) -> [TodoID: TakenLine] {
    var lines: [TodoID: TakenLine] = [:]
    for (entry, meaning) in zip(read.document.entries, meanings) {
      guard case .todo(let line) = entry else { continue }
      let taken = TakenLine(mark: line.mark, digest: line.digest)
      switch meaning {
      case .todo(let id, _): lines[id] = taken
      case .additions(let keys):
        guard keys.count == 1, let id = keys.first.flatMap({ entries[$0]?.todoID }) else {
          continue
        }
        lines[id] = taken
      case .text, .nothing: continue
      }
    }
    return lines
  }

  /// What its lines are now, by their numbers, where they say what the list has.
  func marks(
    _ entries: [DocumentAddition: EntryID], _ contents: DocumentContents
  ) -> [Int: LineAnchor] {
    let todos = Dictionary(contents.todos.map { ($0.id, $0) }) { first, _ in first }
    var marks: [Int: LineAnchor] = [:]
    for (index, meaning) in meanings.enumerated() {
      guard case .todo(let line) = read.document.entries[index] else { continue }
      let number = read.text.lineNumber(at: read.places.entries[index].lowerBound)
      switch meaning {
      case .todo(let id, isUntouched: false):
        if let todo = todos[id], todo.shows(line) {
          marks[number] = LineAnchor(id: id, version: todo.version)
        }
      case .additions(let keys):
        guard keys.count == 1, let id = keys.first.flatMap({ entries[$0]?.todoID }),
          let todo = todos[id]
        else { continue }
        // Somebody may have changed it at once; what was typed is its first version.
        marks[number] = LineAnchor(id: todo.id, version: todo.shows(line) ? todo.version : 1)
      case .todo, .text, .nothing: continue
      }
    }
    return marks
  }
}
