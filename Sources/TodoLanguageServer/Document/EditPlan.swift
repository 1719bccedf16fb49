import TodoDocument
import TodoModel

/// The edit that updates a buffer from the list. It replaces the lines that differ from the list,
/// except lines that the user is editing.
///
/// The edit does not touch lines that the user has changed since the last save, and does not
/// restore lines that the user has deleted since then. The next save merges these user edits with
/// the list. For this merge, `generation` contains the base of each changed or deleted line.
struct EditPlan: Sendable {
  /// The entries of the new text, as a generation (a recorded version of the document). The
  /// generation has no number until the store appends it.
  private(set) var generation = DocumentGeneration(number: 0)
  private var edits = EditList()
  private let read: ReadText
  private let known: BufferHistory
  private let appliedLines: [TodoID: AppliedLine]
  private let todos: [TodoID: DocumentTodo]
  private let texts: [Int64: PlainLine]
  private let marks: AssignedMarks
  private let lineEnd: [UInt8]
  /// The entries that other clients have moved (`relocated`), and the moved entries that the plan
  /// has removed from their old positions (`removed`).
  private var (relocated, removed) = (Set<EntryID>(), Set<EntryID>())

  /// Whether the edit shows changes of the list that were not made in this buffer. The marks that
  /// the store has assigned to the user's lines do not count.
  private(set) var showsChanges = false

  /// Whether the edit changes more than the marks of lines.
  private(set) var changesMoreThanMarks = false
  /// The numbers of the unmarked lines to which the edit adds a mark but makes no other change.
  private(set) var unmarkedLines = Set<Int>()

  /// Plans the edit of a buffer.
  ///
  /// - Parameter appliedLines: The line of each todo as it was last applied to the store.
  init(
    _ read: ReadText, known: BufferHistory, appliedLines: [TodoID: AppliedLine],
    contents: DocumentContents, path: String
  ) {
    let read = read.finding(known.generation)
    (self.read, self.known, self.appliedLines, marks) = (read, known, appliedLines, contents.marks)
    texts = Dictionary(contents.texts.map { ($0.id, $0) }) { first, _ in first }
    lineEnd = read.text.lineEnd
    let merge = read.merge(madeFrom: known, now: contents, path: path)
    todos = merge.todos
    generation.lastMove = contents.lastMove
    relocated = merge.movedElsewhere(in: contents)
    var blocks = Blocks()
    for (index, match) in merge.matches.enumerated() { collect(index, match, &blocks) }
    insertNew(contents, blocks)
    if !read.document.isWhole { printEnd(blocks) }
  }

  /// The text that the edit changes.
  var text: BufferText { read.text }
  /// Whether the buffer needs no edit.
  var isEmpty: Bool { edits.isEmpty && known.generation != nil && !saysNotRunning }
  /// Whether the first line says that no todo-server reads the saves of the document.
  private var saysNotRunning: Bool { read.document.heading?.isKept == false }

  /// Whether the edit changes nothing except marks and the generation in the first line.
  var changesOnlyMarks: Bool {
    !changesMoreThanMarks && known.generation != nil && !saysNotRunning
  }

  /// Returns the replacements in the buffer, in ascending order. One of them writes `number`, the
  /// number of the generation (a recorded version of the document), into the first line. Empty if
  /// the text has no heading.
  func replacements(number: Int64) -> [TextReplacement] {
    guard let heading = read.document.heading, let place = read.places.heading else { return [] }
    var line = DocumentPrinter.line(
      of: DocumentHeading(list: heading.list, generation: number))
    line.removeLast()
    var edits = edits
    edits.replace(place, in: read.text, with: line)
    return edits.sorted()
  }

  // MARK: Existing entries

  /// The positions of the todos and plain lines that the buffer contains.
  private struct Blocks {
    var todos: [TodoID: Range<Int>] = [:]
    var texts: [Int64: Range<Int>] = [:]
    /// Whether the user has typed or changed the last entry since the last save.
    var isLastTyped = false
  }

  private mutating func collect(
    _ index: Int, _ match: EntryMatch, _ blocks: inout Blocks
  ) {
    let place = read.places.entries[index]
    blocks.isLastTyped = false
    switch match {
    case .todo(let id, let isUntouched):
      if isUntouched || isApplied(id, index) {
        guard !relocate(.todo(id), from: place) else { return }
        blocks.todos[id] = place
        show(id, index)
      } else {
        blocks.todos[id] = place
        blocks.isLastTyped = true
        generation.lines[id] = remembered(id)
      }
    case .additions(let keys):
      let entries = keys.compactMap { known.entries[$0] }
      if !keys.isEmpty, entries.count == keys.count {
        mergeAgain(index, place, entries, &blocks)
      } else {
        blocks.isLastTyped = true
      }
    case .text(let id):
      guard !relocate(.text(id), from: place) else { return }
      blocks.texts[id] = place
      if let text = texts[id] {
        generation.texts[id] = LineDigest.text(text.text)
      } else {
        remove(place)
      }
    case .nothing: blocks.isLastTyped = true
    }
  }

  /// Removes an entry from its old position if another client has moved it.
  ///
  /// - Returns: Whether the entry was removed.
  private mutating func relocate(_ entry: EntryID, from place: Range<Int>) -> Bool {
    guard relocated.contains(entry) else { return false }
    remove(place)
    removed.insert(entry)
    return true
  }

  /// Updates the buffer's lines of an entry, after an earlier save has added the entry to the list.
  /// - Removes the lines if the todo or plain line is no longer in the list, if the lines have
  ///   become several todos, or if the buffer also contains the todo further up.
  /// - Otherwise, replaces the lines of a todo, which have no mark yet, with the todo's current
  ///   lines, and leaves a plain line unchanged.
  private mutating func mergeAgain(
    _ index: Int, _ place: Range<Int>, _ entries: [EntryID], _ blocks: inout Blocks
  ) {
    if case .text(let text) = read.document.entries[index],
      let id = entries.first?.textNumber, texts[id] != nil
    {
      blocks.texts[id] = place
      generation.texts[id] = LineDigest.text(text)
    } else if let id = entries.first?.todoID, entries.count == 1,
      todos[id] != nil, blocks.todos[id] == nil
    {
      blocks.todos[id] = place
      show(id, index)
    } else {
      remove(place)
    }
  }

  private func isApplied(_ id: TodoID, _ index: Int) -> Bool {
    guard case .todo(let line) = read.document.entries[index] else { return false }
    return appliedLines[id] == AppliedLine(mark: line.mark, digest: line.digest)
  }

  /// Returns the base of a todo's line; `nil` if it is unknown. The user is editing the line, and
  /// the next save needs the base to merge the user's changes with the list.
  private func remembered(_ id: TodoID) -> LineDigests? {
    if let line = known.generation?.lines[id] { return line }
    guard let todo = todos[id], todo.version == LineAnchor.firstVersion else { return nil }
    return LineDigests(todo)
  }

  private mutating func show(_ id: TodoID, _ index: Int) {
    let place = read.places.entries[index]
    guard let todo = todos[id] else { return remove(place) }
    generation.lines[id] = LineDigests(todo)
    var lines = printed(
      DocumentPrinter.lines(of: todo, in: read.form(ofEntry: index), marks: marks))
    lines.removeLast(lineEnd.count)
    edits.replace(place, in: read.text, with: lines)
    recordMark(of: todo, index, lines)
    guard case .todo(let line) = read.document.entries[index], !todo.shows(line) else { return }
    showsChanges = showsChanges || !read.text.bytes[place].elementsEqual(lines)
  }

  /// Records whether the edit of a todo's lines adds only the mark, or makes other changes.
  private mutating func recordMark(of todo: DocumentTodo, _ index: Int, _ lines: [UInt8]) {
    let place = read.places.entries[index]
    guard case .todo(let line) = read.document.entries[index],
      !read.text.bytes[place].elementsEqual(lines)
    else { return }
    let mark = [Byte.space] + todo.mark.written
    let head = DocumentPrinter.head(of: todo, in: line.form, marks: marks)
    let end = head.firstRange(of: mark) ?? head.endIndex..<head.endIndex
    let unmarked = head[..<end.lowerBound] + head[end.upperBound...] + lines[head.count...]
    if line.mark == nil, read.text.bytes[place].elementsEqual(unmarked) {
      unmarkedLines.insert(read.text.lineNumber(at: place.lowerBound))
    } else {
      changesMoreThanMarks = true
    }
  }

  private mutating func remove(_ place: Range<Int>) {
    (showsChanges, changesMoreThanMarks) = (true, true)
    edits.remove(place, in: read.text)
  }

  // MARK: New entries

  /// Inserts the entries of the list that the buffer does not contain, except those that the user
  /// has deleted since the last save.
  private mutating func insertNew(_ contents: DocumentContents, _ blocks: Blocks) {
    var above: Range<Int>?
    var isBelowTodo = false
    for entry in contents.order {
      switch entry {
      case .todo(let id):
        isBelowTodo = true
        if let place = blocks.todos[id] {
          above = place
        } else if let line = known.generation?.lines[id], !removed.contains(entry) {
          generation.lines[id] = line
        } else if let todo = todos[id] {
          generation.lines[id] = LineDigests(todo)
          let lines = printed(DocumentPrinter.lines(of: todo, marks: marks))
          insert(lines, below: above, blocks)
        }
      case .text(let id):
        if let place = blocks.texts[id] {
          above = place
        } else if let digest = known.generation?.texts[id], !removed.contains(entry) {
          generation.texts[id] = digest
        } else if let text = texts[id] {
          generation.texts[id] = LineDigest.text(text.text)
          let lines = printed(Array(text.text.utf8) + [Byte.newline])
          // Directly below a todo, an indented line would be its note.
          insert(lines, below: isBelowTodo && text.text.isIndented ? nil : above, blocks)
        }
        isBelowTodo = false
      }
    }
  }

  /// Inserts lines below an entry. Front matter is an entry above the first line of the list, so
  /// lines below it are inserted below that first line.
  private mutating func insert(_ lines: [UInt8], below entry: Range<Int>?, _ blocks: Blocks) {
    (showsChanges, changesMoreThanMarks) = (true, true)
    let places = [entry, read.places.heading].compactMap { $0 }
    if let place = places.max(by: { $0.lowerBound < $1.lowerBound }) {
      let end = endOfIndentedLines(below: place)
      edits.insert(lines, afterLineAt: end, in: read.text, lineEnd)
    } else if let first = blocks.todos.values.map(\.lowerBound).min() {
      edits.insert(lines, before: first)
    } else if let end = read.places.end {
      edits.insert(lines, before: end.lowerBound)
    } else {
      edits.insert(
        lines, afterLineAt: read.places.heading?.upperBound ?? 0, in: read.text, lineEnd)
    }
  }

  /// Returns the end of the indented plain lines directly below an entry. Below a todo that was
  /// inserted above them, they would be its note.
  private func endOfIndentedLines(below place: Range<Int>) -> Int {
    let entries = read.places.entries
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].lowerBound < place.upperBound { low = middle + 1 } else { high = middle }
    }
    var end = place.upperBound
    for index in low..<entries.count {
      guard case .text(let text) = read.document.entries[index] else { break }
      if text.isIndented {
        end = entries[index].upperBound
      } else if !text.isBlank {
        break
      }
    }
    return end
  }

  /// Adds the end marker `<!-- end -->` as the last line, or removes the marker's indentation. Does
  /// nothing while the user is typing at the end of the buffer.
  private mutating func printEnd(_ blocks: Blocks) {
    guard !blocks.isLastTyped else { return }
    changesMoreThanMarks = true
    if let place = read.places.end {
      return edits.replace(place, in: read.text, with: Array(DocumentPrinter.endLine.dropLast()))
    }
    edits.insert(
      printed(DocumentPrinter.endLine), afterLineAt: read.text.bytes.count, in: read.text, lineEnd)
  }

  /// Returns lines with the line ending of the buffer instead of line feeds.
  private func printed(_ lines: [UInt8]) -> [UInt8] {
    lineEnd.count > 1 ? lines.withReturns : lines
  }
}
