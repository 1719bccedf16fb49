import TodoDocument
import TodoModel

/// The edits that a client applies to a buffer before it saves it
/// (`textDocument/willSaveWaitUntil`), so that the buffer is unmodified after the save. They mark the
/// new lines, and bring new and edited lines into the form in which the server prints them.
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
    let read = read.finding(known.generation)
    let merge = read.merge(madeFrom: known, now: contents, path: path)
    let hasReturns = read.text.lineEnd.count > 1
    var edits = EditList()
    for (index, match) in merge.matches.enumerated() {
      guard case .todo(let line) = merge.document.entries[index], !line.isConflict else { continue }
      let place = read.places.entries[index]
      if let skippedLine, read.text.lineNumber(at: place.lowerBound) <= skippedLine,
        skippedLine <= read.text.lineNumber(at: place.upperBound)
      {
        continue
      }
      let todo: DocumentTodo?
      switch match {
      // Fast path: printing all todos of the largest text would take longer than 80 ms.
      case .todo(_, isUntouched: true) where line.hasBox && read.text.looksPrinted(place):
        continue
      case .todo(let id, let isUntouched):
        todo = Self.saved(line, merge.todos[id], isUntouched: isUntouched)
      case .additions(let keys):
        todo = keys.count == 1 && contents.acceptsNew ? added(line) : nil
      case .text, .nothing: todo = nil
      }
      guard let todo else { continue }
      let lines = DocumentPrinter.lines(
        of: todo, in: read.form(ofEntry: index), marks: contents.marks)
      let printed = Array(lines.dropLast())
      edits.replace(place, in: read.text, with: hasReturns ? printed.withReturns : printed)
    }
    if let heading = read.document.heading, !heading.isKept, let place = read.places.heading {
      let line = DocumentPrinter.line(
        of: DocumentHeading(list: heading.list, generation: heading.generation))
      edits.replace(place, in: read.text, with: Array(line.dropLast()))
    }
    self.edits = edits.sorted()
  }

  /// Returns the todo as it will be after the save of a line; `nil` if this is not known, because
  /// another client has changed the todo, or if the save will not store the line as it is.
  private static func saved(
    _ line: DocumentLine, _ todo: DocumentTodo?, isUntouched: Bool
  ) -> DocumentTodo? {
    guard var todo, todo.sides.isEmpty, todo.version == line.mark?.version else { return nil }
    if isUntouched { return todo }
    guard let content = (try? NewTodo(line.content))?.content else { return nil }
    todo.content = content
    return todo
  }

  /// Returns the todo that a new line will become, with a reserved mark; `nil` if the line will not
  /// become a todo, or if no mark is left.
  private mutating func added(_ line: DocumentLine) -> DocumentTodo? {
    guard line.mark?.isAssigned ?? true, let content = (try? NewTodo(line.content))?.content,
      let new = reserved.popFirst()
    else { return nil }
    return DocumentTodo(id: new.id, mark: new.mark, version: 1, content: content)
  }

  /// Whether the requested marks make the edit of a plan unnecessary for now. `true` if the edit
  /// changes only marks, and does not add a mark to any unmarked line other than the skipped line.
  func suffice(for plan: EditPlan) -> Bool {
    plan.changesOnlyMarks && plan.unmarkedLines.allSatisfy { $0 == skippedLine }
  }
}

extension BufferText {
  /// Whether an unchanged todo looks as the server prints it: not indented, with the mark at the end
  /// of its first line, and without tabs and blanks at the end of that line.
  fileprivate func looksPrinted(_ place: Range<Int>) -> Bool {
    let lines = bytes[place]
    let first = lines.prefix { $0 != Byte.newline }
    guard place.lowerBound == 0 || bytes[place.lowerBound - 1] == Byte.newline,
      let start = first.first, start != Byte.space, let end = first.last, end != Byte.space,
      first.contains(UInt8(ascii: "^"))
    else { return false }
    return !lines.contains(UInt8(ascii: "\t"))
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
