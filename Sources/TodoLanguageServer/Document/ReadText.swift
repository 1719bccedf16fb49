import TodoDocument
import TodoModel

/// A text taken apart, and what is remembered of its lines that they do not say themselves.
struct ReadText: Sendable {
  let text: BufferText
  let document: Document
  let places: DocumentPlaces
  /// By lines: what was taken there, and at which version, until its mark has come to stand there.
  let marks: [Int: LineMark]

  init(_ text: BufferText, marks: [Int: LineMark] = [:]) {
    self.text = text
    self.marks = marks
    (document, places) = Document.located(in: text.bytes)
  }

  /// The same by entries.
  var rememberedEntries: [Int: LineMark] {
    guard !marks.isEmpty else { return [:] }
    var entries: [Int: LineMark] = [:]
    for (index, place) in places.entries.enumerated() {
      if let mark = marks[text.lineNumber(at: place.lowerBound)] { entries[index] = mark }
    }
    return entries
  }

  func merge(
    madeFrom generation: DocumentGeneration?, now contents: DocumentContents, path: String
  ) -> DocumentMerge {
    DocumentMerge(
      document, madeFrom: generation, now: contents, path: path, remembered: rememberedEntries)
  }

  /// Which entry stands in a line.
  func entry(atLine line: Int) -> Int? {
    guard text.lineStarts.indices.contains(line) else { return nil }
    let offset = text.lineStarts[line]
    return places.entries.firstIndex { $0.lowerBound <= offset && offset <= $0.upperBound }
  }

  /// The todo that an entry is, if it says so or it is remembered.
  func mark(ofEntry index: Int) -> LineMark? {
    guard document.entries.indices.contains(index), places.entries.indices.contains(index),
      case .todo(let line) = document.entries[index]
    else { return nil }
    return line.mark ?? marks[text.lineNumber(at: places.entries[index].lowerBound)]
  }

  /// The same text after what somebody typed into another one that it was damaged to: where the
  /// same lines stand, else above the last line.
  func typing(from old: BufferText, to new: BufferText) -> ReadText {
    let (removed, added, above) = LineMoves(from: old, to: new).region
    var lines = text.lineStarts.indices.map { text.line($0) }
    var place = lines.count - (document.isWhole ? 2 : 0)
    if let found = lines.firstIndex(of: removed, after: above) {
      lines.removeSubrange(found..<found + removed.count)
      place = found
    } else if let above, let found = lines.firstIndex(where: { $0.elementsEqual(above) }) {
      place = found + 1
    }
    lines.insert(contentsOf: added, at: min(max(place, 0), lines.count))
    let words = BufferText(Array(lines.joined(separator: text.lineEnd)))
    let moves = LineMoves(from: text, to: words)
    return ReadText(words, marks: marks.moved(by: moves))
  }

  /// Where a text that is the first line stands, if the first line is ours.
  static func heading(of text: BufferText) -> DocumentHeading? {
    Document(reading: Array(text.line(0)) + [Byte.newline]).heading
  }
}

extension [ArraySlice<UInt8>] {
  /// Where some lines stand one after the other, below a certain line if they stand there.
  fileprivate func firstIndex(of lines: [ArraySlice<UInt8>], after above: ArraySlice<UInt8>?)
    -> Int?
  {
    guard !lines.isEmpty, lines.count <= count else { return nil }
    let found = (0...count - lines.count).filter { start in
      lines.indices.allSatisfy { self[start + $0].elementsEqual(lines[$0]) }
    }
    return found.first { start in
      if start > 0, let above { self[start - 1].elementsEqual(above) } else { false }
    } ?? found.first
  }
}

extension [Int: LineMark] {
  /// By the lines of a later text.
  func moved(by moves: LineMoves) -> [Int: LineMark] {
    var moved: [Int: LineMark] = [:]
    for (line, mark) in self { if let line = moves.line(line) { moved[line] = mark } }
    return moved
  }
}
