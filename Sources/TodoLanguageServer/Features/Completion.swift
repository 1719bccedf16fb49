import JSONRPC
import TodoDocument
import TodoModel

/// Completions at the end of a title: dates after `due:`, labels after `#`, priorities after `!`.
struct Completion {
  private let start: AttributeStart
  /// The range of the word to complete.
  private let range: TextRange
  /// The word to complete, in lower case.
  private let typed: String
  private let contents: DocumentContents?
  private let today: CivilDay

  /// The characters that trigger a completion: the end of `due:`, and the starts of labels and
  /// priorities.
  static let triggerCharacters = [":", "#", "!"]
  /// The number of ISO dates that are offered.
  private static let dayCount = 14
  private static let labelsMax = 1_000

  /// Finds the word to complete at a position; `nil` if a date, label or priority at this position
  /// would be plain text. Parses only the line, because a client may request completions at each
  /// keypress.
  init?(
    _ document: OpenDocument, at position: TextPosition, _ encoding: PositionEncoding,
    on today: CivilDay
  ) {
    let text = document.text
    guard text.lineStarts.indices.contains(position.line) else { return nil }
    let cursor = text.offset(of: position, encoding)
    let marks = document.contents?.marks ?? .unread
    guard let start = AttributeStart(in: text.line(position.line), at: cursor, marks: marks)
    else { return nil }
    (self.start, contents, self.today) = (start, document.contents, today)
    range = TextRange(start.range, in: text, encoding)
    typed = String(decoding: text.bytes[start.range], as: UTF8.self).lowercased()
  }

  /// The completions that begin with the word to complete. They are filtered because not all
  /// clients filter completions.
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
    /// The inserted text. Many clients hide an item that does not begin with the word to complete.
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
          // No `filterText`: with it, Neovim 0.7 ignores the range.
          "sortText": .string(sortText), "textEdit": range.edit(word.text),
        ]
        if let detail = word.detail { item["detail"] = .string(detail) }
        return .object(item)
      })
  }

  /// The date keywords with their dates, then the dates of the next days with their weekdays.
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
