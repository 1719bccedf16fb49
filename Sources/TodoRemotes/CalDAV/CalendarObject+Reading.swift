import TodoModel

/// The reading of a todo's fields from its object.
extension CalendarObject {
  static let fields: ContentFieldSet = [.title, .note, .done, .due, .labels, .priority]

  /// The title that is shown for a todo without a title.
  static let untitled = "(untitled)"

  /// Whether the todo repeats. A repeating todo cannot be marked as done, because that would end
  /// the whole series.
  var isRepeating: Bool { has(anyOf: ["RRULE", "RDATE", "RECURRENCE-ID"]) }

  /// The UID of the todo to which this todo belongs as a sub-task; `nil` for an independent todo.
  var parentUID: String? {
    all("RELATED-TO").first {
      $0.property[parameter: "RELTYPE"]?.uppercased() ?? "PARENT" == "PARENT"
    }?.property.valueText
  }

  var createdAt: Timestamp? { instant("CREATED") }
  var updatedAt: Timestamp? { instant("LAST-MODIFIED") ?? instant("DTSTAMP") }

  private func instant(_ name: String) -> Timestamp? {
    self[name].flatMap { CalendarTime.instant($0) }
  }

  func content(by clock: CalendarClock) -> TodoContent {
    TodoContent(
      title: title, note: self["DESCRIPTION"].map { CalendarText.unescaped($0.value) } ?? "",
      isDone: isDone, due: due(by: clock), labels: labels, priority: priority)
  }

  /// The fields whose values this program can read. Only these fields can be changed. If the due
  /// date has an unknown form, it is not one of these fields.
  var readableFields: ContentFieldSet {
    guard let due = self["DUE"], CalendarTime(due) == nil else { return Self.fields }
    return ContentFieldSet(ContentField.allCases.filter { $0 != .due })
  }

  var title: String {
    guard let summary = self["SUMMARY"] else { return Self.untitled }
    let lines = CalendarText.unescaped(summary.value)
      .split { $0.isNewline || $0.unicodeScalars.contains("\0") }
    let title = lines.map { String($0).trimmed }.joined(separator: " ").trimmed
    guard !title.isEmpty else { return Self.untitled }
    guard title.utf8.count > RemoteItem.titleBytesMax else { return title }
    return RemoteItem.cut(title)
  }

  var isDone: Bool {
    switch self["STATUS"]?.valueText.trimmed.uppercased() {
    case "COMPLETED", "CANCELLED": true
    case nil: self["COMPLETED"] != nil
    default: false
    }
  }

  var labels: LabelSet {
    LabelSet(
      all("CATEGORIES").flatMap { CalendarText.list($0.property.value) }
        .map { CalendarText.unescaped($0).trimmed }.filter(Self.isLabel))
  }

  static func isLabel(_ text: String) -> Bool {
    1...LabelField.bytesMax ~= text.utf8.count && LabelField.problem(with: LabelSet([text])) == nil
  }

  var priority: Priority? {
    switch self["PRIORITY"].flatMap({ Int($0.valueText.trimmed) }) {
    case .some(1...4): .high
    case 5: .medium
    case .some(6...9): .low
    default: nil
    }
  }

  private func due(by clock: CalendarClock) -> DueDate? {
    if let due = self["DUE"] { return CalendarTime(due).map(clock.wallClock) }
    guard let start = self["DTSTART"].flatMap({ CalendarTime($0) }),
      let minutes = self["DURATION"].flatMap({ Self.minutes(ofDuration: $0.valueText) })
    else { return nil }
    return clock.wallClock(start).adding(minutes: minutes)
  }

  /// Returns the minutes of a duration such as `P1W` or `P2DT3H`; `nil` for any other text.
  static func minutes(ofDuration text: String) -> Int? {
    var text = text.trimmed.uppercased()[...]
    if text.hasPrefix("+") { text = text.dropFirst() }
    guard text.hasPrefix("P") else { return nil }
    var (minutes, number) = (0, "")
    for character in text.dropFirst() {
      if character.isNumber {
        number.append(character)
        guard number.utf8.count <= 6 else { return nil }
        continue
      }
      if character == "T", number.isEmpty { continue }
      let units: [Character: Int] = ["W": 10_080, "D": 1_440, "H": 60, "M": 1, "S": 0]
      guard let unit = units[character], let count = Int(number) else { return nil }
      minutes += count * unit
      number = ""
    }
    return number.isEmpty ? minutes : nil
  }
}

extension DueDate {
  /// Returns the date that is a number of minutes later; `nil` outside the years 1 to 9999.
  fileprivate func adding(minutes count: Int) -> DueDate? {
    let sum = (minutes ?? 0) + count
    guard let day = day.adding(days: sum / Self.minutesOfDay) else { return nil }
    // A day plus a duration of whole days is a day without a time.
    let time = sum % Self.minutesOfDay
    return minutes == nil && time == 0 ? DueDate(day) : DueDate(day: day, minutes: time)
  }
}
