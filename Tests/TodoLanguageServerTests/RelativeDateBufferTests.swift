import TestSupport
import Testing
import TodoDatabase
import TodoDocument
import TodoModel
import TodoStores

@testable import TodoLanguageServer

/// Tests the buffer of a client that applies no edits, which keeps `due:fri` over many days.
struct RelativeDateBufferTests {
  /// The server and its store.
  private struct Session {
    static let list = TodoListKey(profile: "ann", source: "")
    let store: SQLiteStore
    var document: OpenDocument
    private(set) var text: String

    init() throws {
      store = try SQLiteStore(at: .memory, environment: .counting())
      _ = try store.add(try NewTodo(title: "Milk"), to: Self.list)
      text = "<!-- todo-server ann local 0 -->\n<!-- end -->\n"
      document = Self.opened(text, try #require(CivilDay("2026-12-01")))
      try serve()
      // The only edit that the client applies: from here on only the user changes the buffer.
      let push = document.nextEdit()
      try type(String(decoding: try #require(push).expected.bytes, as: UTF8.self))
    }

    private static func opened(_ text: String, _ today: CivilDay) -> OpenDocument {
      OpenDocument(BufferText(text), version: 1, key: "p", list: list, on: today)
    }

    private mutating func serve() throws {
      while let request = document.next() {
        document.handle(.success(try store.answer(request, in: Self.list)))
      }
    }

    private mutating func type(_ new: String) throws {
      text = new
      document.change(to: BufferText(text), version: (document.version ?? 0) + 1)
      try serve()
    }

    mutating func replace(_ old: String, with new: String) throws {
      try type(text.replacing(old, with: new))
    }

    mutating func save(on day: String) throws {
      document.dayBegan(try #require(CivilDay(day)))
      document.save()
      try serve()
    }

    mutating func restart(on day: String) throws {
      document.close()
      try serve()
      document = Self.opened(text, try #require(CivilDay(day)))
      try serve()
    }

    var todos: [String] {
      get throws {
        try store.todos(TodoQuery(), in: Self.list).elements.map {
          "\($0.content.title) \($0.content.due?.description ?? "-") \($0.version)"
        }
      }
    }
  }

  @Test func dateIsKeptAtEachSave() throws {
    var session = try Session()
    try session.replace("Milk ^", with: "Milk due:fri ^")
    for day in ["2026-12-01", "2026-12-02", "2026-12-05", "2027-01-01"] {
      try session.save(on: day)
      #expect(try session.todos == ["Milk 2026-12-04 2"])
    }
    // Also if the rest of the line changes.
    try session.replace("Milk due", with: "Oat milk due")
    try session.save(on: "2027-01-01")
    #expect(try session.todos == ["Oat milk 2026-12-04 3"])
    try session.save(on: "2027-01-09")
    #expect(try session.todos == ["Oat milk 2026-12-04 3"])
  }

  @Test func dateOfATypedLineIsKept() throws {
    var session = try Session()
    try session.replace("<!-- end", with: "- [ ] Rent due:tomorrow\n<!-- end")
    try session.save(on: "2026-12-01")
    try session.save(on: "2026-12-02")
    #expect(try session.todos.contains("Rent 2026-12-02 1"))
    try session.replace("Rent due", with: "Pay the rent due")
    try session.save(on: "2026-12-03")
    #expect(try session.todos.contains("Pay the rent 2026-12-02 2"))
  }

  @Test func dateIsKeptAfterARestart() throws {
    var session = try Session()
    try session.replace("Milk ^", with: "Milk due:fri ^")
    try session.replace("<!-- end", with: "- [ ] Rent due:fri\n<!-- end")
    try session.save(on: "2026-12-01")
    let saved = try session.todos
    #expect(saved.contains("Milk 2026-12-04 2") && saved.contains("Rent 2026-12-04 1"))
    try session.restart(on: "2026-12-08")
    try session.save(on: "2026-12-08")
    try session.save(on: "2026-12-15")
    #expect(try session.todos == saved)
  }

  @Test func wordThatIsTypedAgainCountsFromItsDay() throws {
    var session = try Session()
    try session.replace("Milk ^", with: "Milk due:fri ^")
    try session.save(on: "2026-12-01")
    try session.replace("due:fri", with: "due:sat")
    try session.save(on: "2026-12-08")
    #expect(try session.todos == ["Milk 2026-12-12 3"])
    try session.replace("due:sat", with: "due:fri")
    try session.save(on: "2026-12-08")
    #expect(try session.todos == ["Milk 2026-12-11 4"])
  }

  @Test func dateChangedElsewhereIsKept() throws {
    var session = try Session()
    try session.replace("Milk ^", with: "Milk due:fri ^")
    try session.save(on: "2026-12-01")
    let milk = try #require(try session.store.todos(TodoQuery(), in: Session.list).elements.first)
    let later = FieldChanges(TodoContent(due: DueDate("2026-12-24")), fields: [.due])
    _ = try session.store.edit(milk.id, TodoEdit(checking: later), in: Session.list)
    session.document.listDidChange(to: try session.store.changeToken(in: Session.list))
    try session.save(on: "2026-12-02")
    try session.replace("Milk due", with: "Oat milk due")
    try session.save(on: "2026-12-08")
    #expect(try session.todos == ["Oat milk 2026-12-24 4"])
  }

  @Test func lineIsRemovedAfterItWasSaved() throws {
    var session = try Session()
    let before = session.text
    try session.replace("Milk ^", with: "Milk due:fri ^")
    try session.save(on: "2026-12-01")
    let line = try #require(before.split(separator: "\n").dropFirst().first)
    try session.replace("\(line.replacing(" ^", with: " due:fri ^"))\n", with: "")
    try session.save(on: "2026-12-02")
    #expect(try session.todos == [])
  }

  @Test func editThatWasRevertedIsMadeAgain() throws {
    var session = try Session()
    for isDone in [true, false, true, false, true] {
      try session.replace(isDone ? "[ ]" : "[x]", with: isDone ? "[x]" : "[ ]")
      try session.save(on: "2026-12-01")
      let todo = try session.store.todos(TodoQuery(), in: Session.list).elements.first
      #expect(todo?.content.isDone == isDone)
    }
  }
}
