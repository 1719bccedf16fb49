import JSONRPC
import TodoDocument
import TodoModel

/// Words for the end of a title: dates after `due:`, labels after `#`, priorities after `!`.
struct Completion {
  private let start: AttributeStart
  /// Where the word is that was typed.
  private let range: TextRange
  /// What was typed of it, in lower case.
  private let typed: String
  private let contents: DocumentContents?
  private let today: CivilDay

  /// Begins a word of each kind.
  static let triggerCharacters = [":", "#", "!"]
  /// ISO dates that are offered.
  private static let dayCount = 14
  private static let labelsMax = 1_000

  /// Returns nil where such a word would be text. Only the line is parsed: a client may ask at each
  /// keypress.
  init?(
    _ document: OpenDocument, at position: TextPosition, _ encoding: PositionEncoding,
    on today: CivilDay
  ) {
    let text = document.text
    guard text.lineStarts.indices.contains(position.line) else { return nil }
    let cursor = text.offset(of: position, encoding)
    guard let start = AttributeStart(in: text.line(position.line), at: cursor) else { return nil }
    (self.start, contents, self.today) = (start, document.contents, today)
    range = TextRange(start.range, in: text, encoding)
    typed = String(decoding: text.bytes[start.range], as: UTF8.self).lowercased()
  }

  /// The words that begin like what was typed. Not all clients choose themselves.
  var items: JSON {
    switch start.kind {
    case .due: items(of: dates.filter { isBegun($0.text) })
    case .label: items(of: labels)
    case .priority:
      items(
        of: Priority.allCases.map { Word(text: AttributeStart.word(of: $0)) }
          .filter { isBegun($0.text) })
    }
  }

  private func isBegun(_ word: String) -> Bool { word.lowercased().utf8.starts(with: typed.utf8) }

  private struct Word {
    /// What is inserted. Many clients show no word that does not begin like what was typed.
    let text: String
    var detail: String?
  }

  private func items(of words: [Word]) -> JSON {
    let digitCount = String(words.count).utf8.count
    return .array(
      words.enumerated().map { index, word in
        let number = String(index)
        let sortText = String(repeating: "0", count: digitCount - number.utf8.count) + number
        var item: JSONObject = [
          "label": .string(PrintableText.escaped(word.text)), "kind": 12,
          // Without `filterText`: Neovim 0.7 heeds the range only then.
          "sortText": .string(sortText), "textEdit": range.edit(word.text),
        ]
        if let detail = word.detail { item["detail"] = .string(detail) }
        return .object(item)
      })
  }

  /// Words with their dates, and the next days with their names.
  private var dates: [Word] {
    let weekdays = (1...7).compactMap { today.adding(days: $0)?.weekday.name }
    let words = (["today", "tomorrow"] + weekdays + ["eom"]).compactMap { word in
      DateInput.parse(word, today: today).map { due in
        Word(text: "due:\(word)", detail: due.description)
      }
    }
    let days = (0..<Self.dayCount).compactMap { today.adding(days: $0) }
    return words
      + days.map { Word(text: AttributeStart.word(of: DueDate($0)), detail: $0.weekday.name) }
  }

  private var labels: [Word] {
    let labels = (contents?.labels ?? []).filter { label in
      !start.labels.contains(label.text)
        && (isBegun("#\(label.text)") || isBegun(AttributeStart.word(of: label.text)))
    }
    return labels.prefix(Self.labelsMax).map {
      Word(
        text: AttributeStart.word(of: $0.text),
        detail: $0.count == 1 ? "1 todo" : "\($0.count) todos")
    }
  }
}

extension DocumentContents {
  /// The labels of the list with the number of their todos, the most used first.
  var labels: [(text: String, count: Int)] {
    var labels: [String: (text: String, count: Int)] = [:]
    for todo in todos where !todo.content.labels.isEmpty {
      for text in todo.content.labels.texts {
        labels[LabelSet.key(of: text), default: (text, 0)].count += 1
      }
    }
    return labels.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map(\.value)
  }
}
