import TestSupport
import Testing
import TodoDatabase
import TodoDocument
import TodoModel
import TodoStores

@testable import TodoLanguageServer

/// Tests changes of other clients that are undone, before or after the buffer shows them.
struct UndoneChangeTests {
  private struct Session {
    static let list = TodoListKey(profile: "ann", source: "")
    let store: SQLiteStore
    private let ids: [String: TodoID]
    private(set) var document: OpenDocument
    private(set) var text = "<!-- todo-server ann local 0 -->\n<!-- end -->\n"

    init(_ unrequestedEdits: UnrequestedEdits = .always) throws {
      let store = try SQLiteStore(at: .memory, environment: .counting())
      let todos = try ["Milk", "Rent", "Door"].map {
        try store.add(try NewTodo(title: $0), to: Self.list)
      }
      ids = Dictionary(uniqueKeysWithValues: todos.map { ($0.content.title, $0.id) })
      self.store = store
      document = OpenDocument(
        BufferText(text), version: 1, key: "p", list: Self.list, on: .first,
        unrequestedEdits: unrequestedEdits)
      try serve()
    }

    /// Answers the requests to the store, and applies the edits.
    private mutating func serve() throws {
      while true {
        while let request = document.next() {
          document.handle(.success(try store.answer(request, in: Self.list)))
        }
        guard let edit = document.nextEdit() else { return }
        document.recordEditResponse(isApplied: true)
        type(String(decoding: edit.expected.bytes, as: UTF8.self))
      }
    }

    private mutating func type(_ new: String) {
      text = new
      document.change(to: BufferText(text), version: (document.version ?? 0) + 1)
    }

    /// Moves a todo below another one in the buffer, and saves.
    mutating func moveLine(_ title: String, below other: String) throws {
      var lines = text.split(separator: "\n").map(String.init)
      let index = try #require(lines.firstIndex { $0.contains(title) })
      let line = lines.remove(at: index)
      let place = try #require(lines.firstIndex { $0.contains(other) })
      lines.insert(line, at: place + 1)
      type(lines.joined(separator: "\n") + "\n")
      try save()
    }

    mutating func removeLine(_ title: String) throws {
      type(
        text.split(separator: "\n").filter { !$0.contains(title) }.map { $0 + "\n" }.joined())
      try save()
    }

    mutating func save() throws {
      document.save()
      try serve()
    }

    /// Moves a todo as another client. Reports it to the document only if `isReported`.
    mutating func moveElsewhere(
      _ title: String, _ target: (TodoID) -> MoveTarget, _ other: String, isReported: Bool = true
    ) throws {
      let (id, otherID) = (try #require(ids[title]), try #require(ids[other]))
      _ = try store.move(id, to: target(otherID), in: Self.list)
      guard isReported else { return }
      try reportChange()
    }

    mutating func reportChange() throws {
      document.listDidChange(to: try store.changeToken(in: Self.list))
      try serve()
    }

    /// Applies the edit that the client gets only on request.
    mutating func showChanges() throws {
      let edit = try #require(document.requestedEdit)
      type(String(decoding: edit.expected.bytes, as: UTF8.self))
      try serve()
    }

    var todos: [Todo] {
      get throws { try store.todos(TodoQuery(), in: Self.list).elements }
    }
    var titles: [String] { get throws { try todos.map(\.content.title) } }
  }

  @Test func moveAfterTwoMovesElsewhereIsStored() throws {
    var session = try Session()
    try session.moveElsewhere("Milk", MoveTarget.after, "Rent")
    try session.moveElsewhere("Milk", MoveTarget.before, "Rent")
    let before = try session.titles
    try session.moveLine(before[0], below: before[1])
    #expect(try session.titles == [before[1], before[0], before[2]])
  }

  @Test func moveAfterMovesElsewhereThatWereUndoneIsStored() throws {
    var session = try Session()
    let before = try session.titles
    try session.moveElsewhere(before[0], MoveTarget.after, before[1], isReported: false)
    try session.moveElsewhere(before[0], MoveTarget.before, before[1])
    #expect(try session.titles == before)
    try session.moveLine(before[0], below: before[1])
    #expect(try session.titles == [before[1], before[0], before[2]])
  }

  @Test func removedAdditionIsNotOffered() throws {
    var session = try Session(.never)
    try session.showChanges()
    let door = try session.store.add(try NewTodo(title: "Paint the door"), to: Session.list)
    try session.reportChange()
    #expect(session.document.hasChanges && session.document.requestedEdit != nil)
    _ = try session.store.remove(door.id, expectedVersion: nil, in: Session.list)
    try session.reportChange()
    #expect(!session.document.hasChanges && session.document.requestedEdit == nil)
  }

  @Test func restoredTodoCanBeRemovedElsewhere() throws {
    var session = try Session()
    let milk = try #require(try session.todos.first { $0.content.title == "Milk" })
    try session.removeLine("Milk")
    #expect(try !session.titles.contains("Milk"))
    let restored = try session.store.restore(milk.id, in: Session.list)
    try session.reportChange()
    #expect(session.text.contains("Milk"))
    try session.store.remove(restored.id, expectedVersion: nil, in: Session.list)
    try session.reportChange()
    #expect(!session.text.contains("Milk"))
    try session.save()
    #expect(try !session.titles.contains("Milk"))
  }
}
