import TodoModel

/// The attributes of a todo: the words at the end of its line that are read as fields, in any
/// order. These are `due:2026-12-01` or another form that `DateInput` reads, such as `due:fri`;
/// `#label` or `#"two words"`; and `!high`.
///
/// Any other word belongs to the title, and so does the first word of the line. If the last word of
/// a title looks like an attribute, one `\` is added to the word: before `#` or `!`, or before the
/// colon of `due:`. A word that already has a `\` at this place gets another one.
struct AttributeWords {
  /// The day that relative dates count from.
  let today: CivilDay
  /// The due date as it was typed, in lower case, if it is relative, such as `fri`; otherwise
  /// `nil`.
  private(set) var relativeDue: String?

  init(on today: CivilDay) { self.today = today }

  /// Parses the attributes at the end of a line, and sets these fields of the content.
  ///
  /// - Returns: The text before the attributes, which is the title as it is written in the line.
  mutating func parse(
    endOf line: ArraySlice<UInt8>, into content: inout TodoContent
  ) -> ArraySlice<UInt8> {
    var rest = line.trimmingBlanks
    var labels: [String] = []
    while let (word, before) = Self.finalWord(of: rest, on: today), !before.isEmpty {
      switch word {
      case .due(let due, let relative) where content.due == nil:
        (content.due, relativeDue) = (due, relative)
      case .label(let label) where labels.count < LabelField.countMax: labels.append(label)
      case .priority(let priority) where content.priority == nil: content.priority = priority
      case .due, .label, .priority: return Self.end(before: rest, labels, &content)
      }
      rest = before
    }
    return Self.end(before: rest, labels, &content)
  }

  private static func end(
    before rest: ArraySlice<UInt8>, _ labels: [String], _ content: inout TodoContent
  ) -> ArraySlice<UInt8> {
    // If a label is written in two spellings, the first spelling is used.
    if !labels.isEmpty { content.labels = LabelSet(labels.reversed()).union(content.labels) }
    return rest
  }

  /// Reads text that the user typed after the mark of a line. The due date and the priority in this
  /// text replace those before the mark, and its labels are added.
  ///
  /// - Returns: The part of the text that belongs to the title.
  mutating func parse(
    typed text: ArraySlice<UInt8>, into content: inout TodoContent
  ) -> ArraySlice<UInt8> {
    var typed = TodoContent()
    // The title comes before this text, so even its first word may be an attribute. The `\` stands
    // for the title.
    let before = parse(endOf: [ASCII.backslash, ASCII.space] + text, into: &typed)
    content.due = typed.due ?? content.due
    content.labels = content.labels.union(typed.labels)
    content.priority = typed.priority ?? content.priority
    return before.dropFirst().trimmingBlanks
  }

  /// Appends the attributes of a todo's content, each after a space.
  static func write(_ content: TodoContent, to out: inout [UInt8]) {
    if let due = content.due { out += " \(word(of: due))".utf8 }
    for label in content.labels.texts { out += " \(word(of: label))".utf8 }
    if let priority = content.priority { out += " \(word(of: priority))".utf8 }
  }

  static func word(of due: DueDate) -> String { "\(dueStart)\(due)" }
  static func word(of label: String) -> String {
    isPlain(label) ? "#\(label)" : "#\(LabelWords.quoted(label))"
  }
  static func word(of priority: Priority) -> String { "!\(priority.rawValue)" }

  /// Escapes the last word of a written title, if it would be read as an attribute or as an escaped
  /// attribute.
  ///
  /// - Parameter start: The index in `out` at which the title begins.
  static func escapeEnd(of out: inout [UInt8], from start: Int) {
    if let place = escapedEnd(of: out[start...]) { out.insert(ASCII.backslash, at: place) }
  }

  /// Removes the escape from the last word of a written title.
  static func withoutEscape(_ title: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let place = escapedEnd(of: title), title[place] == ASCII.backslash else { return title }
    return (title[..<place] + title[(place + 1)...])[...]
  }

  /// Returns the index at which the escapes of the last word begin, or would be inserted: before
  /// `#` or `!`, or before the colon of `due:`. Returns `nil` if the word without escapes is not an
  /// attribute, or if it is the only word.
  private static func escapedEnd(of title: ArraySlice<UInt8>) -> Int? {
    if let (word, before) = finalWord(of: title, on: .first) {
      guard !before.isEmpty else { return nil }
      var place = before.endIndex
      while ASCII.isBlank(title[place]) { place += 1 }
      if case .due = word { place += dueStart.utf8.count - 1 }
      return place
    }
    // Usually the last run of `\` escapes the word. A label in quotes may contain other runs, so
    // the earlier ones are examined, too.
    var end = title.endIndex
    while let last = title[..<end].lastIndex(of: ASCII.backslash) {
      var first = last
      while first > title.startIndex, title[first - 1] == ASCII.backslash { first -= 1 }
      let without = title[..<first] + title[(last + 1)...]
      let isWord =
        last + 1 < title.endIndex
        && (title[last + 1] == number || title[last + 1] == UInt8(ascii: "!")
          || title[last + 1] == UInt8(ascii: ":"))
      if isWord, let (_, before) = finalWord(of: without[...], on: .first), !before.isEmpty,
        before.count < first - title.startIndex + 1
      {
        return first
      }
      // Only a label in quotes can contain spaces, or a `\` that belongs to the label.
      guard title.last == quote, title.endIndex - first <= wordBytesMax else { return nil }
      end = first
    }
    return nil
  }

  /// Whether the last word of a title must be escaped.
  static func isNeeded(in title: String) -> Bool {
    guard let last = title.utf8.last, last != ASCII.backslash else { return false }
    return finalWord(of: Array(title.utf8)[...], on: .first).map { !$0.before.isEmpty } ?? false
  }

  // MARK: One word

  private enum Word {
    case due(DueDate, relative: String?)
    case label(String)
    case priority(Priority)
  }

  static let dueStart = "due:"
  private static let dueBytes = Array(dueStart.utf8)
  private static let number = UInt8(ascii: "#")
  private static let quote = UInt8(ascii: "\"")
  /// The maximum length of a word, in bytes: the length of a label in quotes with each byte
  /// escaped.
  private static let wordBytesMax = 2 * LabelField.bytesMax + 3

  /// Returns the last word of a text, and the text before it; `nil` if the word is not an
  /// attribute.
  ///
  /// - Parameter today: The day that relative dates count from. Pass the first day of the calendar
  ///   to accept every word that is an attribute on at least one day.
  private static func finalWord(
    of text: ArraySlice<UInt8>, on today: CivilDay
  ) -> (word: Word, before: ArraySlice<UInt8>)? {
    if text.last == quote { return quotedLabel(endOf: text) }
    let start = text.lastIndex { ASCII.isBlank($0) }.map { $0 + 1 } ?? text.startIndex
    let bytes = text[start...]
    guard bytes.count <= wordBytesMax, let word = word(bytes, on: today) else { return nil }
    return (word, text[..<start].trimmingBlanks)
  }

  private static func word(_ bytes: ArraySlice<UInt8>, on today: CivilDay) -> Word? {
    if bytes.first == number {
      let label = String(decoding: bytes.dropFirst(), as: UTF8.self)
      return isPlain(label) ? .label(label) : nil
    }
    if bytes.first == UInt8(ascii: "!") {
      let word = String(decoding: bytes.dropFirst(), as: UTF8.self)
      return Priority(rawValue: word).map { .priority($0) }
    }
    guard bytes.starts(with: dueBytes) else { return nil }
    let text = String(decoding: bytes.dropFirst(dueBytes.count), as: UTF8.self)
    if let due = DueDate(text) { return .due(due, relative: nil) }
    return DateInput.parse(text, today: today).map { due in
      let isAbsolute = text.utf8.first.map(ASCII.isDigit) ?? false
      return .due(due, relative: isAbsolute ? nil : text.lowercased())
    }
  }

  /// Returns a label in quotes at the end of a text, such as `#"two words"`, and the text before
  /// it; `nil` if there is no such label.
  private static func quotedLabel(
    endOf text: ArraySlice<UInt8>
  ) -> (word: Word, before: ArraySlice<UInt8>)? {
    let first = max(text.startIndex, text.endIndex - wordBytesMax)
    var start = text.endIndex - 2
    while start >= first {
      defer { start -= 1 }
      guard text[start] == number, text[start + 1] == quote,
        start == text.startIndex || ASCII.isBlank(text[start - 1])
      else { continue }
      guard let words = LabelWords(String(decoding: text[(start + 1)...], as: UTF8.self)),
        words.added.count == 1, words.removed.isEmpty, isLabel(words.added[0]),
        // Accepts only the form that `LabelWords` writes: one label, without unneeded escapes.
        LabelWords.quoted(words.added[0]).utf8.elementsEqual(text[(start + 1)...])
      else { return nil }
      return (.label(words.added[0]), text[..<start].trimmingBlanks)
    }
    return nil
  }

  /// Whether a todo can have the label in exactly this spelling.
  private static func isLabel(_ label: String) -> Bool {
    let labels = LabelSet([label])
    return label.hasSameBytes(as: label.trimmed) && LabelField.problem(with: labels) == nil
  }

  /// Whether a label can be written without quotes: it has only letters, digits and `-_/.`, and not
  /// only digits.
  private static func isPlain(_ label: String) -> Bool {
    guard 1...LabelField.bytesMax ~= label.utf8.count else { return false }
    var hasNonDigit = false
    for scalar in label.unicodeScalars {
      switch scalar {
      case "0"..."9": break
      case "a"..."z", "A"..."Z", "-", "_", "/", ".": hasNonDigit = true
      default:
        guard scalar.value >= 0x80, scalar.properties.isAlphabetic || scalar.properties.isMark
        else { return false }
        hasNonDigit = true
      }
    }
    return hasNonDigit
  }
}

extension Unicode.Scalar.Properties {
  /// Whether the scalar changes the letter before it, such as an accent.
  fileprivate var isMark: Bool {
    switch generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
