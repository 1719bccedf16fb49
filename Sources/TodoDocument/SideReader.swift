import TodoModel

/// The texts below a todo in conflict, between their marks:
///
///     <<< mine
///     [ ] Fix the door
///     === theirs
///     [ ] Fix the front door
///       The hinge.
///     >>>
///
/// Whoever settles it deletes one of them, and the marks or not.
struct SideReader {
  private let lines: [ArraySlice<UInt8>]

  init(_ lines: [ArraySlice<UInt8>]) { self.lines = lines }

  func read(into todo: inout DocumentLine) {
    var whose = Merge.Side.mine
    var side: [ArraySlice<UInt8>] = []
    for line in lines {
      if let next = Self.start(line) {
        Self.end(&side, whose, &todo)
        whose = next
      } else if line.elementsEqual(DocumentWords.sidesEnd) {
        Self.end(&side, whose, &todo)
      } else {
        side.append(line)
      }
    }
    Self.end(&side, whose, &todo)
  }

  private static func end(
    _ side: inout [ArraySlice<UInt8>], _ whose: Merge.Side, _ todo: inout DocumentLine
  ) {
    defer { side.removeAll() }
    guard var first = side.first, side.contains(where: { !$0.isEmpty }) else { return }
    var content = TodoContent(title: "", note: "", isDone: todo.content.isDone)
    if let isDone = HeadLine.box(first) {
      content.isDone = isDone
      first = first.dropFirst(3)
    }
    first = AttributeWords.parse(endOf: first, into: &content)
    content.title = TitleText.read(first, isEscaped: todo.isEscaped)
    let note = side.dropFirst().map(\.droppingIndent).joined(separator: [ASCII.newline])
    content.note = String(decoding: Array(note), as: UTF8.self)
    if todo.isEscaped { content.note = LineBreakText.unescaped(content.note) }
    todo.sides.append(DocumentSide(whose, content))
  }

  private static func start(_ line: ArraySlice<UInt8>) -> Merge.Side? {
    guard line.first == UInt8(ascii: "<") || line.first == UInt8(ascii: "=") else { return nil }
    return Merge.Side.allCases.first { side in
      line.elementsEqual(DocumentWords.sideStart(side, isFirst: true))
        || line.elementsEqual(DocumentWords.sideStart(side, isFirst: false))
    }
  }
}
