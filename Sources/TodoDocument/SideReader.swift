import TodoModel

/// A reader of the sides of a conflict. The sides are below the todo's line, between markers:
///
///     <<< mine
///     [ ] Fix the door
///     === theirs
///     [ ] Fix the front door
///       The hinge.
///     >>>
///
/// To resolve the conflict, the user deletes one of the sides, with or without its markers.
struct SideReader {
  private let lines: [ArraySlice<UInt8>]
  private let today: CivilDay
  private let marks: AssignedMarks

  init(_ lines: [ArraySlice<UInt8>], on today: CivilDay, _ marks: AssignedMarks) {
    (self.lines, self.today, self.marks) = (lines, today, marks)
  }

  func read(into todo: inout DocumentLine) {
    var whose = Merge.Side.mine
    var side: [ArraySlice<UInt8>] = []
    for line in lines {
      if let next = Self.start(line) {
        end(&side, whose, &todo)
        whose = next
      } else if line.elementsEqual(DocumentWords.sidesEnd) {
        end(&side, whose, &todo)
      } else {
        side.append(line)
      }
    }
    end(&side, whose, &todo)
  }

  private func end(
    _ side: inout [ArraySlice<UInt8>], _ whose: Merge.Side, _ todo: inout DocumentLine
  ) {
    defer { side.removeAll() }
    guard var first = side.first, side.contains(where: { !$0.isEmpty }) else { return }
    var content = TodoContent(title: "", note: "", isDone: todo.content.isDone)
    if let isDone = HeadLine.box(first) {
      content.isDone = isDone
      first = first.dropFirst(3)
    }
    var attributes = AttributeWords(on: today)
    first = attributes.parse(endOf: first, into: &content)
    content.title = TitleText.read(
      TitleText.withoutMarkEscapes(AttributeWords.withoutEscape(first), marks),
      isEscaped: todo.isEscaped)
    let note = side.dropFirst().map(\.droppingIndent).joined(separator: [ASCII.newline])
    content.note = String(decoding: Array(note), as: UTF8.self)
    if todo.isEscaped { content.note = LineBreakText.unescaped(content.note) }
    todo.sides.append(DocumentSide(whose, content, relativeDue: attributes.relativeDue))
  }

  private static func start(_ line: ArraySlice<UInt8>) -> Merge.Side? {
    guard line.first == UInt8(ascii: "<") || line.first == UInt8(ascii: "=") else { return nil }
    return Merge.Side.allCases.first { side in
      line.elementsEqual(DocumentWords.sideStart(side, isFirst: true))
        || line.elementsEqual(DocumentWords.sideStart(side, isFirst: false))
    }
  }
}
