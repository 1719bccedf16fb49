import TodoDocument
import TodoModel

/// The edits with which a client marks the new lines of a buffer before it saves them
/// (`textDocument/willSaveWaitUntil`), so that the buffer is unmodified after the save.
///
/// A mark (`^id.version`) is only reserved: the save adds a line with it as a todo. Nothing depends
/// on whether the client applies the edits.
struct RequestedMarks: Sendable {
  private(set) var edits: [TextReplacement] = []
  /// The line that gets no mark yet, because the user may still be typing in it.
  private let skippedLine: Int?

  /// The largest text that is marked, in bytes. A client waits for the marks, and the server must
  /// answer within 80 ms: the comparison of this text with the list takes 24 ms on a quiet machine
  /// (`Tests/LanguageServer/benchmark.py requested`).
  static let bytesMax = 512 << 10

  /// - Parameters:
  ///   - known: The history of the buffer, whose generation the store has.
  ///   - newID: Returns an ID for the todo of a new line.
  init(
    _ read: ReadText, known: BufferHistory, contents: DocumentContents, path: String,
    skippedLine: Int?, newID: () -> TodoID
  ) {
    self.skippedLine = skippedLine
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
        // The mark of an earlier save that the buffer does not contain yet.
        guard let mark = read.marks[first], mark.id == id, mark.version > line.mark?.version ?? 0
        else { continue }
        write(mark, insteadOf: line.mark, first, read.text)
      case .additions(let keys):
        guard contents.acceptsNew, keys.count == 1, !line.isConflict,
          line.mark?.looksMade ?? true, (try? TodoDraft(line.content)) != nil
        else { continue }
        let mark = LineAnchor(id: newID(), version: LineAnchor.firstVersion)
        write(mark, insteadOf: line.mark, first, read.text)
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

  /// Whether the requested marks make the edit of a plan unnecessary for now: the edit changes only
  /// marks, and adds none except to the skipped line.
  func suffice(for plan: EditPlan) -> Bool {
    plan.changesOnlyMarks && plan.unmarkedLines.allSatisfy { $0 == skippedLine }
  }

  /// Replaces the old mark of a line. If there is none, appends the new mark to the line, in place
  /// of blanks at its end.
  private mutating func write(
    _ mark: LineAnchor, insteadOf old: LineAnchor?, _ number: Int, _ text: BufferText
  ) {
    let line = text.line(number)
    if let old = old?.written {
      let start = line.indices.last { line[$0...].starts(with: old) }
      guard let start else { return }
      edits.append(TextReplacement(range: start..<start + old.count, text: mark.written))
    } else {
      let end = line.lastIndex { $0 != Byte.space && $0 != UInt8(ascii: "\t") }.map { $0 + 1 }
      edits.append(
        TextReplacement(
          range: (end ?? line.startIndex)..<line.endIndex, text: [Byte.space] + mark.written))
    }
  }
}

extension OpenDocument {
  /// Returns the edits that the client applies before it saves the buffer. They add the marks of
  /// new lines, and replace a first line which says that no todo-server is running.
  ///
  /// - Parameter isAutomatic: Whether the editor saves without a request of its user.
  mutating func editsBeforeSave(isAutomatic: Bool, newID: () -> TodoID) -> [TextReplacement] {
    // Saves that wait for the store decide which marks their lines get.
    guard saves.isEmpty else { return [] }
    requestedMarks = nil
    guard isManaged, !isClosed, text.bytes.count <= RequestedMarks.bytesMax,
      let contents, let known = known.use(heading?.generation ?? 0), known.generation != nil,
      !belongsToOtherStore
    else { return [] }
    let marks = RequestedMarks(
      current, known: known, contents: contents, path: key,
      skippedLine: isAutomatic ? lastChangedLine : nil, newID: newID)
    requestedMarks = marks
    return marks.edits
  }
}
