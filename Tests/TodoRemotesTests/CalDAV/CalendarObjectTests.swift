import Testing
import TodoModel

@testable import TodoRemotes

/// Tests the fields of calendar objects, and the lines that an edit changes.
@Suite struct CalendarObjectTests {
  /// The user's wall clock is an hour ahead of UTC, and that of New York is five hours behind UTC.
  private static let clock = CalendarClock(
    utcOffset: { _ in 3_600_000 },
    zoneOffset: { zone, _ in zone == "America/New_York" ? -18_000_000 : nil })
  private static let now = Timestamp(milliseconds: 1_800_000_000_000)

  private static func text(_ lines: [String], lineEnd: String = "\r\n") -> String {
    let all =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:u"] + lines
      + ["END:VTODO", "END:VCALENDAR", ""]
    return all.joined(separator: lineEnd)
  }

  private func object(_ lines: String...) throws -> CalendarObject {
    try CalendarObject(Array(Self.text(lines).utf8))
  }

  /// The lines that an edit adds and removes, without those that each edit changes.
  private func difference(
    _ lines: [String], _ change: (inout TodoContent) -> Void
  ) throws -> (removed: [String], added: [String]) {
    let before = Self.text(lines)
    var object = try CalendarObject(Array(before.utf8))
    var content = object.content(by: Self.clock)
    change(&content)
    #expect(try object.apply(content, ContentField.allCases, by: Self.clock, at: Self.now))
    let old = before.split(separator: "\r\n").map(String.init)
    let new = String(decoding: object.bytes, as: UTF8.self).split(separator: "\r\n")
      .map(String.init)
    // A line that both have is in the same order in both.
    #expect(old.filter(new.contains) == new.filter(old.contains))
    return (old.filter { !new.contains($0) }, new.filter { !old.contains($0) })
  }

  @Test func foldsAreUndoneByBytes() throws {
    // The fold cuts the two bytes of ü.
    var bytes = Array(Self.text([]).utf8)
    let line =
      Array("SUMMARY:M".utf8) + [0xC3, 0x0D, 0x0A, 0x20, 0xBC] + Array("sli\r\n\t!\r\n".utf8)
    let end = try #require(bytes.indices.first { bytes[$0...].starts(with: "END:VTODO".utf8) })
    bytes.insert(contentsOf: line, at: end)
    let object = try CalendarObject(bytes)
    #expect(object.content(by: Self.clock).title == "Müsli!")
    #expect(object.bytes == bytes)
  }

  @Test func longLinesAreFoldedBetweenCharacters() throws {
    var object = try object("SUMMARY:x")
    let title = String(repeating: "ü€😀", count: 60)
    _ = try object.apply(TodoContent(title: title), [.title], by: Self.clock, at: Self.now)
    for line in object.lines {
      let parts = line.raw.split(separator: 0x0A)
      for part in parts {
        #expect(part.count <= 76)
        #expect(String(validating: part, as: UTF8.self) != nil)
      }
    }
    #expect(try CalendarObject(object.bytes).content(by: Self.clock).title == title)
  }

  @Test func textsAreEscaped() throws {
    let text = "a\\b;c,d\n\"e\" \\n:f"
    var object = try object("SUMMARY:x")
    let content = TodoContent(title: "a\\;,", note: text)
    _ = try object.apply(content, [.title, .note], by: Self.clock, at: Self.now)
    let lines = object.lines.map { String(decoding: $0.text, as: UTF8.self) }
    #expect(lines.contains("SUMMARY:a\\\\\\;\\,"))
    #expect(lines.contains("DESCRIPTION:a\\\\b\\;c\\,d\\n\"e\" \\\\n:f"))
    #expect(object.content(by: Self.clock).note == text)
  }

  @Test func anEditChangesTheLineOfItsFieldOnly() throws {
    let foreign = [
      "SUMMARY;LANGUAGE=de;X-P=\"a;b:c\":alt", "X-ALT-DESC;FMTTYPE=text/html:<b>x</b>",
      "DESCRIPTION;ENCODING=QUOTED-PRINTABLE:=41", "STATUS:NEEDS-ACTION", "ATTENDEE:mailto:a@b",
      "BEGIN:VALARM", "SUMMARY:alarm", "TRIGGER:-PT5M", "END:VALARM",
    ]
    let edit = try difference(foreign) { $0.title = "neu" }
    #expect(edit.removed == ["SUMMARY;LANGUAGE=de;X-P=\"a;b:c\":alt"])
    #expect(edit.added == ["SUMMARY;LANGUAGE=de;X-P=\"a;b:c\":neu"])
    let note = try difference(foreign) { $0.note = "B" }
    #expect(note.added == ["DESCRIPTION:B"])
  }

  @Test func newLinesComeBeforeTheAlarms() throws {
    var object = try object("BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM")
    let content = TodoContent(title: "t", priority: .high)
    _ = try object.apply(content, ContentField.allCases, by: Self.clock, at: Self.now)
    object.recordChange(at: Self.now)
    #expect(
      object.lines.map { String(decoding: $0.text, as: UTF8.self) } == [
        "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:u", "SUMMARY:t", "PRIORITY:1",
        "DTSTAMP:20270115T080000Z", "LAST-MODIFIED:20270115T080000Z", "SEQUENCE:1", "BEGIN:VALARM",
        "TRIGGER:-PT5M", "END:VALARM", "END:VTODO", "END:VCALENDAR",
      ])
  }

  @Test func lineEndsStay() throws {
    let text = Self.text(["SUMMARY:a"], lineEnd: "\n")
    var object = try CalendarObject(Array(text.utf8))
    _ = try object.apply(TodoContent(title: "b"), [.title], by: Self.clock, at: Self.now)
    #expect(
      String(decoding: object.bytes, as: UTF8.self) == Self.text(["SUMMARY:b"], lineEnd: "\n"))
  }

  @Test func occurrencesStayUnchanged() throws {
    let text = Self.text(["RRULE:FREQ=DAILY", "SUMMARY:all"])
      .replacing(
        "END:VCALENDAR",
        with: "BEGIN:VTODO\r\nUID:u\r\nRECURRENCE-ID:20270101\r\n"
          + "SUMMARY:one\r\nEND:VTODO\r\nEND:VCALENDAR")
    var object = try CalendarObject(Array(text.utf8))
    #expect(object.isRepeating)
    #expect(object.content(by: Self.clock).title == "all")
    _ = try object.apply(TodoContent(title: "new"), [.title], by: Self.clock, at: Self.now)
    #expect(
      String(decoding: object.bytes, as: UTF8.self)
        == text.replacing("SUMMARY:all", with: "SUMMARY:new"))
    #expect(throws: TodoError.self) {
      try object.apply(TodoContent(isDone: true), [.done], by: Self.clock, at: Self.now)
    }
  }

  // MARK: Fields

  @Test func doneIsStatusCompletedOrCancelled() throws {
    for (lines, isDone) in [
      (["STATUS:COMPLETED"], true), (["STATUS:cancelled"], true), (["STATUS:IN-PROCESS"], false),
      (["COMPLETED:20260101T000000Z"], true),
      (["STATUS:NEEDS-ACTION", "COMPLETED:20260101T000000Z"], false), ([], false),
    ] {
      let object = try CalendarObject(Array(Self.text(lines).utf8))
      #expect(object.isDone == isDone, "\(lines)")
    }
    let tick = try difference(["STATUS:IN-PROCESS", "PERCENT-COMPLETE:50"]) { $0.isDone = true }
    #expect(tick.removed == ["STATUS:IN-PROCESS", "PERCENT-COMPLETE:50"])
    #expect(
      tick.added == ["STATUS:COMPLETED", "PERCENT-COMPLETE:100", "COMPLETED:20270115T080000Z"])
    let untick = try difference(["STATUS:COMPLETED", "COMPLETED:x", "PERCENT-COMPLETE:100"]) {
      $0.isDone = false
    }
    #expect(untick.added == ["STATUS:NEEDS-ACTION"])
  }

  @Test(arguments: [
    ("DUE;VALUE=DATE:20301201", "2030-12-01", "2030-12-02", "DUE;VALUE=DATE:20301202"),
    ("DUE:20301201T173000", "2030-12-01T17:30", "2030-12-01T18:00", "DUE:20301201T180000"),
    ("DUE:20301201T233000Z", "2030-12-02T00:30", "2030-12-02T01:00", "DUE:20301202T000000Z"),
    (
      "DUE;X-A=1;TZID=America/New_York:20301201T120000", "2030-12-01T18:00", "2030-12-01T17:00",
      "DUE;X-A=1;TZID=America/New_York:20301201T110000"
    ),
    (
      "DUE;TZID=Mars:20301201T120000", "2030-12-01T12:00", "2030-12-01T13:15",
      "DUE;TZID=Mars:20301201T131500"
    ),
    ("DUE:20301201T173000Z", "2030-12-01T18:30", "2030-12-03", "DUE;VALUE=DATE:20301203"),
    ("DUE;VALUE=DATE:20301201", "2030-12-01", "2030-12-01T09:00", "DUE:20301201T090000"),
  ])
  func aDueDateKeepsItsForm(_ line: String, _ read: String, _ new: String, _ written: String) throws
  {
    let object = try object(line)
    #expect(object.content(by: Self.clock).due == DueDate(read))
    let edit = try difference([line]) { $0.due = DueDate(new) }
    #expect(edit.removed == [line])
    #expect(edit.added == [written])
  }

  @Test func theStartFitsTheDueDate() throws {
    let earlier = try difference(["DTSTART;VALUE=DATE:20301210", "DUE;VALUE=DATE:20301212"]) {
      $0.due = DueDate("2030-12-01")
    }
    #expect(earlier.added == ["DTSTART;VALUE=DATE:20301201", "DUE;VALUE=DATE:20301201"])
    let timed = try difference(["DTSTART;VALUE=DATE:20301201", "DUE;VALUE=DATE:20301212"]) {
      $0.due = DueDate("2030-12-12T08:00")
    }
    #expect(timed.added == ["DTSTART:20301201T000000", "DUE:20301212T080000"])
    let day = try difference(["DTSTART:20301201T120000Z", "DUE:20301202T120000Z"]) {
      $0.due = DueDate("2030-12-03")
    }
    #expect(day.added == ["DTSTART;VALUE=DATE:20301201", "DUE;VALUE=DATE:20301203"])
    let later = try difference(["DTSTART:20301201T120000Z", "DUE:20301202T120000Z"]) {
      $0.due = DueDate("2030-12-03T13:00")
    }
    #expect(later.added == ["DUE:20301203T120000Z"])
    let removed = try difference(["DTSTART:20301201T120000Z", "DURATION:P1DT2H"]) { content in
      #expect(content.due == DueDate("2030-12-02T15:00"))
      content.due = nil
    }
    #expect(removed.removed == ["DURATION:P1DT2H"] && removed.added.isEmpty)
  }

  @Test func aDateInAnUnknownFormIsNotOverwritten() throws {
    let object = try object("DUE;VALUE=PERIOD:20301201T000000Z/PT1H")
    #expect(object.content(by: Self.clock).due == nil)
    #expect(!object.readableFields.contains(.due))
  }

  @Test func labelsAreChangedOneByOne() throws {
    let lines = ["CATEGORIES:a,b\\,c", "CATEGORIES;LANGUAGE=de:d", "CATEGORIES:e"]
    let object = try CalendarObject(Array(Self.text(lines).utf8))
    #expect(object.labels.texts == ["a", "b,c", "d", "e"])
    let edit = try difference(lines) { $0.labels = LabelSet(["A", "d", "e", "f;g"]) }
    #expect(edit.removed == ["CATEGORIES:a,b\\,c", "CATEGORIES:e"])
    #expect(edit.added == ["CATEGORIES:a", "CATEGORIES:e,f\\;g"])
    let all = try difference(lines) { $0.labels = LabelSet() }
    #expect(all.removed == lines && all.added.isEmpty)
    let first = try difference(["CATEGORIES;LANGUAGE=de:d"]) { $0.labels.insert("x") }
    #expect(first.added == ["CATEGORIES:x"])
  }

  @Test func aPriorityOfTheSameClassStays() throws {
    for (number, priority) in [
      ("0", nil), ("1", .high), ("4", .high), ("5", .medium), ("6", .low), ("9", .low), ("x", nil),
    ] as [(String, Priority?)] {
      #expect(try object("PRIORITY:\(number)").priority == priority)
    }
    let edit = try difference(["PRIORITY:3", "SUMMARY:a"]) {
      $0.priority = .high
      $0.title = "b"
    }
    #expect(edit.removed == ["SUMMARY:a"])
    #expect(try difference(["PRIORITY:3"]) { $0.priority = .low }.added == ["PRIORITY:9"])
    #expect(try difference(["PRIORITY:3"]) { $0.priority = nil }.removed == ["PRIORITY:3"])
  }

  @Test func controlCharactersAreRefused() throws {
    var object = try object("SUMMARY:x")
    #expect(throws: TodoError.self) {
      try object.apply(TodoContent(note: "a\u{7}"), [.note], by: Self.clock, at: Self.now)
    }
  }

  // MARK: Objects that are not well-formed

  @Test func otherObjectsAreRefused() throws {
    let todo = Self.text(["SUMMARY:a"])
    let second = todo.replacing("UID:u", with: "UID:v")
    let two = todo.replacing(
      "END:VCALENDAR\r\n", with: second.replacing("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", with: ""))
    let cases: [(String, CalendarObject.Problem)] = [
      ("<html></html>", .unreadable("it has text outside of its components")),
      ("", .unreadable("it is not whole")),
      (String(todo.dropLast(30)), .unreadable("it is not whole")),
      (two, .unreadable("it has two UIDs")),
      (two.replacing("UID:v", with: "UID:u"), .unreadable("it has two todos with one UID")),
      (todo.replacing("VTODO", with: "VEVENT"), .notTodo),
      (todo + todo, .unreadable("its components are not inside one VCALENDAR")),
      (
        String(repeating: "BEGIN:VCALENDAR\r\n", count: 40),
        .unreadable("its components are not inside one VCALENDAR")
      ),
    ]
    for (text, problem) in cases {
      #expect(throws: problem) { try CalendarObject(Array(text.utf8)) }
    }
    let large = [UInt8](repeating: 0x41, count: CalendarObject.bytesMax + 1)
    #expect(throws: CalendarObject.Problem.self) { try CalendarObject(large) }
  }

  @Test func emptyTitlesHaveAName() throws {
    #expect(try object().content(by: Self.clock).title == "(untitled)")
    #expect(try object("SUMMARY: \\n ").content(by: Self.clock).title == "(untitled)")
    #expect(try object("SUMMARY:a\\nb").content(by: Self.clock).title == "a b")
  }

  @Test func zonesAreReadFromTheSystem() throws {
    let winter = try #require(Timestamp(rfc3339: "2026-01-15T12:00:00Z"))
    let summer = try #require(Timestamp(rfc3339: "2026-07-15T12:00:00Z"))
    let zones = ZoneFiles()
    #expect(zones.offset(of: "Europe/Berlin", at: winter) == 3_600_000)
    #expect(zones.offset(of: "Europe/Berlin", at: summer) == 7_200_000)
    #expect(zones.offset(of: "/example.org/20260101_1/America/New_York", at: summer) == -14_400_000)
    #expect(zones.offset(of: "../../etc/passwd", at: summer) == nil)
    #expect(zones.offset(of: "W. Europe Standard Time", at: summer) == nil)
  }
}
