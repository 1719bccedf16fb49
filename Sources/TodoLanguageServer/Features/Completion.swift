import JSONRPC
import TodoDocument
import TodoModel

/// Words for the end of a title: dates after `due:`, labels after `#`, priorities after `!`.
struct Completion {
  private let shown: ShownDocument
  private let start: AttributeStart
  /// The place of the word in the text.
  private let range: Range<Int>

  /// Begins a word of each kind.
  static let triggerCharacters = [":", "#", "!"]
  /// ISO dates that are offered.
  private static let dayCount = 14
  private static let labelsMax = 1_000

  /// Returns nil where such a word would be text.
  init?(_ shown: ShownDocument, at position: TextPosition) {
    let text = shown.read.text
    guard text.lineStarts.indices.contains(position.line) else { return nil }
    let cursor = text.offset(of: position, shown.terms.encoding)
    guard let start = AttributeStart(in: text.line(position.line), at: cursor) else { return nil }
    (self.shown, self.start, range) = (shown, start, start.range)
  }

  var items: JSON {
    switch start.kind {
    case .due: items(of: dates)
    case .label: items(of: labels)
    case .priority: items(of: Priority.allCases.map { Word(AttributeStart.word(of: $0)) })
    }
  }

  private struct Word {
    let label: String
    let detail: String?
    let text: String

    init(_ label: String, _ detail: String? = nil, text: String? = nil) {
      (self.label, self.detail, self.text) = (label, detail, text ?? label)
    }
  }

  private func items(of words: [Word]) -> JSON {
    let digitCount = String(words.count).utf8.count
    return .array(
      words.enumerated().map { index, word in
        let number = String(index)
        let sortText = String(repeating: "0", count: digitCount - number.utf8.count) + number
        var item: JSONObject = [
          "label": .string(PrintableText.escaped(word.label)), "kind": 12,
          "sortText": .string(sortText), "filterText": .string(word.label),
          "textEdit": shown.range(range).edit(word.text),
        ]
        if let detail = word.detail { item["detail"] = .string(detail) }
        return .object(item)
      })
  }

  /// Words, and the next days. What is inserted is the date, which is the same tomorrow.
  private var dates: [Word] {
    let today = shown.today
    let weekdays = (1...7).compactMap { today.adding(days: $0)?.weekday.name }
    let words = (["today", "tomorrow"] + weekdays + ["eom"]).compactMap { word in
      DateInput.parse(word, today: today).map { due in
        Word("due:\(word)", due.description, text: AttributeStart.word(of: due))
      }
    }
    let days = (0..<Self.dayCount).compactMap { today.adding(days: $0) }
    return words + days.map { Word(AttributeStart.word(of: DueDate($0)), $0.weekday.name) }
  }

  private var labels: [Word] {
    shown.labels.lazy.filter { !start.labels.contains($0.text) }.prefix(Self.labelsMax).map {
      Word(AttributeStart.word(of: $0.text), $0.count == 1 ? "1 todo" : "\($0.count) todos")
    }
  }
}

extension ShownDocument {
  /// The labels of the list with the number of their todos, the most used first.
  var labels: [(text: String, count: Int)] {
    var labels: [String: (text: String, count: Int)] = [:]
    for todo in contents?.todos ?? [] where !todo.content.labels.isEmpty {
      for text in todo.content.labels.texts {
        labels[LabelSet.key(of: text), default: (text, 0)].count += 1
      }
    }
    return labels.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map(\.value)
  }
}
