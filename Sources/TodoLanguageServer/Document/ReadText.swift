import TodoDocument
import TodoModel

/// A text taken apart, and what is remembered of its lines that they do not say themselves.
struct ReadText: Sendable {
  let text: BufferText
  let document: Document
  let places: DocumentPlaces
  /// By lines: what was taken there, and at which version, until its mark has come to stand there.
  private(set) var marks: [Int: LineAnchor]
  /// Whether what is missing counts as removed.
  private var isComplete = true

  /// - Parameter today: The day that dates such as `due:fri` count from.
  init(_ text: BufferText, on today: CivilDay, marks: [Int: LineAnchor] = [:]) {
    self.text = text
    self.marks = marks
    (document, places) = Document.located(in: text.bytes, on: today)
  }

  /// The same by entries.
  var rememberedEntries: [Int: LineAnchor] {
    guard !marks.isEmpty else { return [:] }
    var entries: [Int: LineAnchor] = [:]
    for (index, place) in places.entries.enumerated() {
      if let mark = marks[text.lineNumber(at: place.lowerBound)] { entries[index] = mark }
    }
    return entries
  }

  /// The same, where nothing counts as removed.
  var withoutRemovals: ReadText {
    var read = self
    read.isComplete = false
    return read
  }

  func merge(
    madeFrom known: KnownText, now contents: DocumentContents, path: String
  ) -> DocumentMerge {
    DocumentMerge(
      document, madeFrom: known.generation, now: contents, path: path, isComplete: isComplete,
      remembered: rememberedEntries, removed: known.removed, savedDates: known.savedDates)
  }

  /// Which entry stands in a line.
  func entry(atLine line: Int) -> Int? {
    guard text.lineStarts.indices.contains(line) else { return nil }
    let offset = text.lineStarts[line]
    return places.entries.firstIndex { $0.lowerBound <= offset && offset <= $0.upperBound }
  }

  /// The todo that an entry is, if it says so or it is remembered.
  func mark(ofEntry index: Int) -> LineAnchor? {
    guard document.entries.indices.contains(index), places.entries.indices.contains(index),
      case .todo(let line) = document.entries[index]
    else { return nil }
    return line.mark ?? marks[text.lineNumber(at: places.entries[index].lowerBound)]
  }

  /// Where a text that is the first line stands, if the first line is ours.
  static func heading(of text: BufferText) -> DocumentHeading? {
    Document(reading: Array(text.line(0)) + [Byte.newline], on: .first).heading
  }
}

extension ReadText {
  /// Takes lines to be todos.
  mutating func merge(_ new: [Int: LineAnchor]) { marks.merge(new) { _, new in new } }
}

extension [Int: LineAnchor] {
  /// By the lines of a later text.
  func moved(by moves: LineMoves) -> [Int: LineAnchor] { moved { moves.line($0) } }

  func moved(_ place: (Int) -> Int?) -> [Int: LineAnchor] {
    var moved: [Int: LineAnchor] = [:]
    for (line, mark) in self { if let line = place(line) { moved[line] = mark } }
    return moved
  }
}
