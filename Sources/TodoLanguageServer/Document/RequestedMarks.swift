import TodoDocument
import TodoModel

/// The edits with which a client marks the new lines of a buffer before it saves them
/// (`textDocument/willSaveWaitUntil`), so that the buffer is unmodified after the save.
///
/// The edits contain reserved marks, which belong to no todo yet. A todo is added only by a save
/// that contains a line with such a mark. Therefore, the client need not apply the edits.
struct RequestedMarks: Sendable {
  private(set) var edits: [TextReplacement] = []
  /// The reserved marks that are not used yet.
  private(set) var reserved: ArraySlice<ReservedMark>
  /// The line that gets no mark yet, because the user may still be typing in it.
  private let skippedLine: Int?

  /// The maximum size of a text that is marked, in bytes. A client waits for the marks, and the
  /// server must answer within 80 ms. On a quiet machine, comparing a text of this size with the
  /// list takes 24 ms (`Tests/LanguageServer/benchmark.py requested`).
  static let bytesMax = 512 << 10

  /// Determines the edits for a buffer.
  ///
  /// - Parameters:
  ///   - known: The history of the buffer's generation, which the store must have recorded.
  ///   - reserved: The marks for new lines.
  init(
    _ read: ReadText, known: BufferHistory, contents: DocumentContents, path: String,
    skippedLine: Int?, reserved: [ReservedMark]
  ) {
    (self.skippedLine, self.reserved) = (skippedLine, reserved[...])
    let marks = contents.marks
    let read = read.finding(known.generation)
    let merge = read.merge(madeFrom: known, now: contents, path: path)
    for (index, match) in merge.matches.enumerated() {
      guard case .todo(let line) = read.document.entries[index] else { continue }
      let place = read.places.entries[index]
      let first = read.text.lineNumber(at: place.lowerBound)
      let last = read.text.lineNumber(at: place.upperBound)
      if let skippedLine, (first...max(first, last)).contains(skippedLine) { continue }
      switch match {
      case .todo(let id, _):
        // The todo of an earlier save, whose mark the buffer does not contain yet.
        guard read.todos[first] == id, line.mark == nil,
          let todo = contents.todos.first(where: { $0.id == id })
        else { continue }
        write(todo.mark, insteadOf: nil, first, read.text, marks)
      case .additions(let keys):
        guard contents.acceptsNew, keys.count == 1, !line.isConflict,
          line.mark?.isAssigned ?? true, (try? NewTodo(line.content)) != nil,
          let mark = self.reserved.popFirst()?.mark
        else { continue }
        write(mark, insteadOf: line.mark?.id, first, read.text, marks)
      case .text, .nothing: continue
      }
    }
    if let heading = read.document.heading, !heading.isKept, let place = read.places.heading {
      let line = DocumentPrinter.line(
        of: DocumentHeading(list: heading.list, generation: heading.generation))
      edits.append(TextReplacement(range: place, text: line.dropLast()))
    }
    edits.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Whether the requested marks make the edit of a plan unnecessary for now. `true` if the edit
  /// changes only marks, and does not add a mark to any unmarked line other than the skipped line.
  func suffice(for plan: EditPlan) -> Bool {
    plan.changesOnlyMarks && plan.unmarkedLines.allSatisfy { $0 == skippedLine }
  }

  /// Replaces the old mark of a line. If `old` is `nil`, inserts the new mark at the end of the
  /// line, in place of trailing blanks. If the last word looks like a mark but was not assigned by
  /// the store, such as a block ID of Obsidian, inserts the new mark before this word.
  private mutating func write(
    _ mark: TodoMark, insteadOf old: TodoID?, _ number: Int, _ text: BufferText,
    _ marks: AssignedMarks
  ) {
    let line = text.line(number)
    if let old {
      guard let place = marks.range(of: old, in: line) else { return }
      edits.append(TextReplacement(range: place, text: mark.written))
      return
    }
    let end = line.lastIndex { $0 != Byte.space && $0 != UInt8(ascii: "\t") }.map { $0 + 1 }
    let written = line[..<(end ?? line.startIndex)]
    if let sign = written.foreignMark(marks) {
      edits.append(TextReplacement(range: sign..<sign, text: mark.written + [Byte.space]))
    } else {
      edits.append(
        TextReplacement(
          range: written.endIndex..<line.endIndex, text: [Byte.space] + mark.written))
    }
  }
}

extension OpenDocument {
  /// Returns the edits that the client applies before it saves the buffer. The edits add the marks
  /// of new lines, and replace a first line which says that no todo-server is running.
  ///
  /// - Parameters:
  ///   - isAutomatic: Whether the editor saves without a request of its user.
  ///   - pool: The marks for new lines. The marks that the edits use are removed from the pool.
  mutating func editsBeforeSave(
    isAutomatic: Bool, from pool: inout MarkPool
  ) -> [TextReplacement] {
    // Saves that wait for the store decide which marks their lines get.
    guard saves.isEmpty else { return [] }
    requestedMarks = nil
    guard isManaged, !isClosed, text.bytes.count <= RequestedMarks.bytesMax,
      let contents, let known = known.use(heading?.generation ?? 0), known.generation != nil,
      !belongsToOtherStore
    else { return [] }
    let marks = RequestedMarks(
      current, known: known, contents: contents, path: key,
      skippedLine: isAutomatic ? lastChangedLine : nil, reserved: pool.marks)
    requestedMarks = marks
    pool.marks = Array(marks.reserved)
    return marks.edits
  }
}
