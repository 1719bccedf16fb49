import JSONRPC
import TodoDocument
import TodoModel

/// The outline of a document: its todos, below their headings.
struct DocumentSymbols {
  private let shown: ShownDocument
  /// The symbols in the order of the document.
  private var all: [Symbol] = []

  private struct Symbol {
    let name: String
    let kind: JSON
    let detail: String
    /// The index of the entry in the document.
    let index: Int
    let head: Range<Int>
    var end: Int
    /// The level of a heading, from 1; `nil` for a todo.
    let level: Int?
  }

  /// `SymbolKind.String`, which Markdown servers use for headings.
  private static let sectionKind = JSON.integer(15)
  private static let levelMax = 6

  init(_ shown: ShownDocument) {
    self.shown = shown
    let places = shown.read.places.entries
    for (index, place) in places.enumerated() {
      switch shown.read.document.entries[index] {
      case .todo(let line):
        let content = line.content
        all.append(
          Symbol(
            name: ShownDocument.symbolName(content.title), kind: ShownDocument.symbolKind,
            detail: content.isDone ? "done" : "open", index: index, head: shown.head(at: place),
            end: place.upperBound, level: nil))
      case .text: addSection(index, place)
      }
    }
    // A section ends before the next heading of the same or a higher level.
    for index in all.indices {
      guard let level = all[index].level else { continue }
      let next = all[(index + 1)...].firstIndex { $0.level.map { $0 <= level } ?? false }
      let last = (next.map { all[$0].index } ?? places.count) - 1
      all[index].end = places[last].upperBound
    }
  }

  /// Adds a symbol if a plain line is a heading. Its entry may have blank lines before and after
  /// the line.
  private mutating func addSection(_ index: Int, _ place: Range<Int>) {
    let text = shown.read.text
    var number = text.lineNumber(at: place.lowerBound)
    let last = text.lineNumber(at: place.upperBound)
    while number < last, text.line(number).allSatisfy({ $0 <= Byte.space }) { number += 1 }
    let line = text.line(number)
    let level = line.prefix { $0 == UInt8(ascii: "#") }.count
    guard 1...Self.levelMax ~= level, line.dropFirst(level).first == Byte.space else { return }
    let title = String(decoding: line.dropFirst(level), as: UTF8.self).trimmed
    all.append(
      Symbol(
        name: ShownDocument.symbolName(title), kind: Self.sectionKind, detail: "", index: index,
        head: line.startIndex..<line.endIndex, end: place.upperBound, level: level))
  }

  var json: JSON {
    if shown.capabilities.hasSymbolTrees { return tree }
    var section: String?
    return .array(
      all.map { symbol in
        var json: JSONObject = [
          "name": .string(symbol.name), "kind": symbol.kind,
          "location": [
            "uri": .string(shown.uri),
            "range": shown.range(symbol.head.lowerBound..<symbol.end).json,
          ],
        ]
        if symbol.level != nil {
          section = symbol.name
        } else if let section {
          json["containerName"] = .string(section)
        }
        return .object(json)
      })
  }

  private var tree: JSON {
    // In reverse, so that the children of a heading are complete when it is reached.
    var open: [(level: Int, json: JSON)] = []
    for symbol in all.reversed() {
      var json: JSONObject = [
        "name": .string(symbol.name), "kind": symbol.kind, "detail": .string(symbol.detail),
        "range": shown.range(symbol.head.lowerBound..<symbol.end).json,
        "selectionRange": shown.range(symbol.head).json,
      ]
      if let level = symbol.level {
        let count = open.reversed().prefix { $0.level > level }.count
        json["children"] = .array(open.suffix(count).reversed().map(\.json))
        open.removeLast(count)
      }
      open.append((symbol.level ?? Self.levelMax + 1, .object(json)))
    }
    return .array(open.reversed().map(\.json))
  }
}
