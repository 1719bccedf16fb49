import TodoModel

/// Edits of a todo's properties. All lines of other properties keep their bytes.
extension CalendarObject {
  /// Writes some fields of a todo to its object. A field is not written if the object already has
  /// the same value.
  ///
  /// - Returns: Whether a field was written.
  /// - Throws: `validation` for a value that the object cannot contain.
  mutating func apply(
    _ content: TodoContent, _ fields: [ContentField], by clock: CalendarClock, at now: Timestamp
  ) throws(TodoError) -> Bool {
    let before = self.content(by: clock)
    let changed = Set(content.fields(differingFrom: before)).intersection(fields)
    for field in ContentField.allCases where changed.contains(field) {
      switch field {
      case .title: try setText("SUMMARY", to: content.title)
      case .note: try setText("DESCRIPTION", to: content.note.withLF)
      case .done: try set(isDone: content.isDone, at: now)
      case .due: try set(due: content.due, by: clock)
      case .labels: set(labels: content.labels)
      case .priority: set(priority: content.priority)
      }
    }
    return !changed.isEmpty
  }

  /// Updates the modification dates and the sequence number, because the object was changed.
  mutating func recordChange(at now: Timestamp) {
    set("DTSTAMP", to: CalendarTime.utc(now))
    set("LAST-MODIFIED", to: CalendarTime.utc(now))
    let sequence = self["SEQUENCE"].flatMap { Int32($0.valueText.trimmed) } ?? 0
    set("SEQUENCE", to: String(max(0, sequence) &+ 1))
  }

  /// The parameters to remove when the text of a property is replaced: they describe the encoding
  /// of the old text, or link to another form of the old text.
  private static let textParameters: Set<String> = ["ENCODING", "CHARSET", "ALTREP", "VALUE"]

  private mutating func setText(_ name: String, to text: String) throws(TodoError) {
    let isAllowed = text.unicodeScalars.allSatisfy { scalar in
      scalar == "\n" || scalar == "\t" || scalar.value >= 0x20 && scalar.value != 0x7F
    }
    guard isAllowed else {
      let field = name == "SUMMARY" ? "title" : "note"
      throw .validation([
        FieldProblem(field: field, message: "The source stores no control characters.")
      ])
    }
    guard !text.isEmpty else { return remove(name) }
    set(name, to: CalendarText.escaped(text), without: Self.textParameters)
  }

  private mutating func set(isDone: Bool, at now: Timestamp) throws(TodoError) {
    guard !isRepeating else {
      throw .validation([
        FieldProblem(
          field: "done",
          message: "This todo repeats, and todo-server cannot tick repeating todos yet. "
            + "Tick it in another program.")
      ])
    }
    if isDone {
      set("STATUS", to: "COMPLETED")
      set("COMPLETED", to: CalendarTime.utc(now))
      set("PERCENT-COMPLETE", to: "100")
    } else {
      set("STATUS", to: "NEEDS-ACTION")
      remove("COMPLETED")
      remove("PERCENT-COMPLETE")
    }
  }

  private mutating func set(priority: Priority?) {
    switch priority {
    case .high: set("PRIORITY", to: "1")
    case .medium: set("PRIORITY", to: "5")
    case .low: set("PRIORITY", to: "9")
    case nil: remove("PRIORITY")
    }
  }

  // MARK: Labels

  private mutating func set(labels: LabelSet) {
    let before = self.labels
    let removed = before.subtracting(labels)
    for (index, property) in all("CATEGORIES").reversed() where !removed.isEmpty {
      let parts = CalendarText.list(property.value)
      let rest = parts.filter { !removed.contains(CalendarText.unescaped($0).trimmed) }
      guard rest.count < parts.count else { continue }
      if rest.isEmpty {
        remove(at: index)
      } else {
        replace(index, with: property.with(value: Array(rest.joined(separator: [0x2C]))))
      }
    }
    let added = labels.subtracting(before).texts.map { CalendarText.escaped($0) }
    guard !added.isEmpty else { return }
    let value = Array(added.joined(separator: [0x2C]))
    // The labels of a line with parameters can be in another language, so no labels are added to
    // it.
    if let (index, property) = all("CATEGORIES").last, property.parameters.isEmpty {
      let separator: [UInt8] = property.value.isEmpty ? [] : [0x2C]
      replace(index, with: property.with(value: property.value + separator + value))
    } else {
      append(CalendarProperty("CATEGORIES", value: value))
    }
  }

  // MARK: Dates

  /// Sets the due date. A due date with a time gets the form (UTC, time zone or floating) of the
  /// old due date. If the old due date is missing or has no time, the start determines the form. If
  /// the start has no time either, the form is floating.
  ///
  /// Also moves the start if necessary. The start must have the same type (day or time) as the due
  /// date, and must not be later than the due date.
  private mutating func set(due: DueDate?, by clock: CalendarClock) throws(TodoError) {
    let (old, start) = (self["DUE"].flatMap { CalendarTime($0) }, time("DTSTART"))
    remove("DURATION")
    guard let due else { return remove("DUE") }
    let forms = [old?.form, start?.form].compactMap { $0 }.filter { $0 != .day }
    let time = clock.time(due, in: forms.first ?? .floating)
    set("DUE", to: time)
    guard let start else { return }
    let moved = self.start(start, for: time, due, by: clock)
    guard moved != start else { return }
    guard !isRepeating else {
      throw .validation([
        FieldProblem(
          field: "due",
          message: "This todo repeats: it cannot be due before its start, and a day and a time "
            + "cannot replace each other.")
      ])
    }
    set("DTSTART", to: moved)
  }

  private func time(_ name: String) -> CalendarTime? { self[name].flatMap { CalendarTime($0) } }

  /// Returns a start date that has the same type (day or time) as a new due date and is not later.
  private func start(
    _ start: CalendarTime, for time: CalendarTime, _ due: DueDate, by clock: CalendarClock
  ) -> CalendarTime {
    let wall = clock.wallClock(start)
    if (start.form == .day) == (time.form == .day) { return wall <= due ? start : time }
    guard wall.day < due.day else { return time }
    if time.form == .day { return CalendarTime(form: .day, date: DueDate(wall.day)) }
    return clock.time(DueDate(day: wall.day, minutes: 0) ?? due, in: time.form)
  }

  private mutating func set(_ name: String, to time: CalendarTime) {
    let value = Array(time.value.utf8)
    guard let (index, property) = all(name).first else {
      return append(CalendarProperty(name, parameters: time.parameters, value: value))
    }
    let old = CalendarTime(property)
    let keepsForm = old?.form == time.form
    replace(
      index,
      with: keepsForm
        ? property.with(value: value)
        : property.with(value: value, without: ["VALUE", "TZID"], adding: time.parameters))
  }
}
