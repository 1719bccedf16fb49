import Testing

@testable import TodoModel

@Suite("Filters")
struct TodoFilterTests {
  /// A Friday.
  private let today = CivilDay("2026-11-27")!

  private func filter(_ text: String) throws -> TodoFilter {
    try TodoFilter(text, today: today)
  }

  private func days(_ first: String?, _ last: String?) -> Condition {
    .due(
      DayRange(
        first: (first.flatMap { CivilDay($0) } ?? .first).number,
        last: (last.flatMap { CivilDay($0) } ?? .last).number))
  }

  @Test(
    "count everything but known names as words",
    arguments: [
      "", "milk", "http://x", "re: the roof", "-milk", "-", "\"is:open\"", "\"two is:open words\"",
      "-\"is:open\"", "this:is:open", "is :open", "a:b", ":", "is", "notis:open", "priority", "😀:x",
      "i\u{301}s:open", "assignees:ann",
    ])
  func words(text: String) throws {
    let filter = try filter(text)
    #expect(filter.qualifiers.isEmpty && filter.isDone == nil && !filter.selectsNone)
    #expect(filter.words == text)
  }

  @Test("remove the qualifiers from the words")
  func rest() throws {
    let filter = try filter(
      "  milk\tlabel:home  due:none\n\"label:x  y\" -is:pending bread label:\"a  b\"c d")
    #expect(filter.words == "milk \"label:x  y\" bread d")
    #expect(
      filter.qualifiers == [
        Qualifier(.labels(["home"])), Qualifier(.noDue),
        Qualifier(.sync(.pending), isNegated: true), Qualifier(.labels(["a  bc"])),
      ])
  }

  @Test(
    "have the states",
    arguments: [
      ("is:pending", .sync(.pending)), ("IS:Conflict", .sync(.conflict)),
      ("is:failed", .sync(.failed)), ("is:draft", .draft),
      ("is:\"overdue\"", .overdue(CivilDay("2026-11-27")!)),
    ] as [(String, Condition)])
  func states(text: String, condition: Condition) throws {
    #expect(try filter(text).qualifiers == [Qualifier(condition)])
    #expect(try filter("-" + text).qualifiers == [Qualifier(condition, isNegated: true)])
  }

  @Test("join is:open and is:done with the done state")
  func doneStates() throws {
    #expect(try filter("is:open").isDone == false)
    #expect(try filter("-is:open is:done").isDone == true)
    #expect(try filter("is:open is:done").selectsNone)
    #expect(try TodoFilter("is:open", isDone: true, today: today).selectsNone)
    #expect(try !TodoFilter("is:open", isDone: false, today: today).selectsNone)
    #expect(try filter("is:open").selectsAll)
  }

  @Test(
    "have labels, which do not depend on case",
    arguments: [
      ("label:Bug", ["bug"]), ("label:a,b", ["a", "b"]),
      ("label:\"two words\",c", ["two words", "c"]),
      ("label:\"a,b\"", ["a,b"]), ("label:\"open end", ["open end"]), ("label:Ärger", ["ärger"]),
      ("label:a:b", ["a:b"]),
    ])
  func labels(text: String, keys: [String]) throws {
    #expect(try filter(text).qualifiers == [Qualifier(.labels(keys))])
  }

  @Test(
    "have what a source says of its items",
    arguments: [
      ("assignee:Ann", .assignees(["ann"])), ("assignee:@ann,bob", .assignees(["ann", "bob"])),
      ("milestone:v1", .milestones(["v1"])),
      ("Milestone:\"In Spring\",v2", .milestones(["in spring", "v2"])),
      ("comments:3", .comments(NumberRange(first: 3, last: 3))),
      ("comments:=3", .comments(NumberRange(first: 3, last: 3))),
      ("comments:>0", .comments(NumberRange(first: 1))),
      ("comments:>=2", .comments(NumberRange(first: 2))),
      ("comments:<2", .comments(NumberRange(last: 1))),
      ("comments:<=2", .comments(NumberRange(last: 2))),
      ("comments:2..5", .comments(NumberRange(first: 2, last: 5))),
    ] as [(String, Condition)])
  func details(text: String, condition: Condition) throws {
    #expect(try filter(text).qualifiers == [Qualifier(condition)])
    #expect(try filter("-" + text).qualifiers == [Qualifier(condition, isNegated: true)])
  }

  @Test("have days")
  func dueDays() throws {
    for (text, first, last) in [
      ("due:today", "2026-11-27", "2026-11-27"), ("due:week", "2026-11-27", "2026-12-03"),
      ("due:tomorrow", "2026-11-28", "2026-11-28"), ("due:fri", "2026-12-04", "2026-12-04"),
      ("due:2026-12-01", "2026-12-01", "2026-12-01"), ("due:<2026-12-01", nil, "2026-11-30"),
      ("due:<=2026-12-01", nil, "2026-12-01"), ("due:>2026-12-01", "2026-12-02", nil),
      ("due:>=+3d", "2026-11-30", nil), ("due:2026-12-01..eom", "2026-12-01", "2026-11-30"),
      ("DUE:Today..2026-12-24", "2026-11-27", "2026-12-24"),
    ] as [(String, String?, String?)] {
      #expect(try filter(text).qualifiers == [Qualifier(days(first, last))], "\(text)")
    }
    #expect(try filter("due:none").qualifiers == [Qualifier(.noDue)])
    #expect(try filter("no:label").qualifiers == [Qualifier(.noLabel)])
    #expect(try filter("Priority:HIGH").qualifiers == [Qualifier(.priority(.high))])
    #expect(try filter("-priority:none").qualifiers == [Qualifier(.priority(nil), isNegated: true)])
    #expect(try filter("number:7").qualifiers == [Qualifier(.number(7))])
  }

  @Test("can be completed by suggestions, each of which is a filter")
  func suggestions() throws {
    let labels = ["home", "two words", "a,b", "it\"s"]
    let suggestions = TodoFilter.suggestions(labels: labels)
    #expect(suggestions.suffix(3) == ["label:home", "label:\"two words\"", "label:\"a,b\""])
    for text in suggestions { #expect(try filter(text).words?.isEmpty == true, "\(text)") }
    #expect(!suggestions.contains("comments:>0"))
    #expect(TodoFilter.suggestions(labels: [], details: [.comments]).contains("comments:>0"))
  }

  @Test("end at the first and the last day")
  func ends() throws {
    let before = try TodoFilter("due:<0001-01-01", today: .last).qualifiers
    let after = try TodoFilter("due:>9999-12-31", today: .last).qualifiers
    for case .due(let days) in (before + after).map(\.condition) {
      #expect(!days.contains(.first) && !days.contains(.last))
    }
    let week = try TodoFilter("due:week", today: .last).qualifiers
    #expect(week == [Qualifier(.due(DayRange(.last ... .last)))])
  }

  @Test(
    "refuse a known name with another value, and list the allowed ones",
    arguments: [
      ("is:", "open, done, pending, conflict, failed, draft, overdue"), ("is:late", "overdue"),
      ("is:\"", "open"), ("label:", "labels"), ("label:a,,b", "labels"), ("label:\"\"", "labels"),
      ("no:due", "label"), ("due:", "today, week, none"), ("due:2026-02-30", "2026-12-01"),
      ("due:2026-12-01T17:30", "2026-12-01"), ("due:<", "<="), ("due:..", ".."),
      ("due:today..", ".."), ("due:=today", "today"), ("number:x", "a number"),
      ("priority:", "high, medium, low, none"), ("priority:urgent", "high, medium, low, none"),
      ("number:0", "a number"), ("number:99999999999999999999", "a number"), ("-due:x", "today"),
      ("assignee:", "names"), ("assignee:@", "names"), ("assignee:@me", "not @me"),
      ("milestone:", "milestones"), ("comments:", "a number"), ("comments:many", ".."),
      ("comments:-1", "a number"), ("comments:1..", ".."), ("comments:1000000000", "a number"),
    ])
  func refused(text: String, allowed: String) throws {
    let error = #expect(throws: TodoError.self) { try filter("milk \(text) bread") }
    #expect(error?.kind == .validation)
    #expect(error?.fields.map(\.field) == ["query"])
    #expect(error?.message.contains(allowed) == true, "\(error?.message ?? "")")
  }
}
