import Testing
import TodoDocument
import TodoModel

@testable import TodoLanguageServer

/// Tests edits of the server and the user that cross: each is made before the other one has
/// arrived.
struct PassingEditTests {
  private static let list = TodoListKey(profile: "ann", source: "")
  private static let milk = todo("k3f9q2m7x0v5t8b1", 4, "Buy milk")
  private static let rent = todo("p2q7h4d6s8w0c3n5", 2, "Pay the rent")
  private static let door = todo("a8d1a8d1a8d1a8d1", 1, "Fix the door")
  private static let text = """
    <!-- todo-server ann local 7 -->
    - [ ] Buy milk ^k3f9q2
    - [ ] Pay the rent ^p2q7h4
    <!-- end -->

    """

  private static func todo(_ id: String, _ version: Int64, _ title: String) -> DocumentTodo {
    DocumentTodo(
      id: TodoID(id), version: version,
      content: TodoContent(title: title, note: "", isDone: false))
  }

  /// A buffer as a string, and a list in memory in place of a store.
  private struct Session {
    var document = OpenDocument(
      BufferText(PassingEditTests.text), version: 1, key: "p", list: PassingEditTests.list,
      on: .first)
    var todos: [DocumentTodo]
    var texts: [PlainLine] = []
    /// The entries (todos and plain lines) that were created from lines typed into the first text.
    var entries: [AdditionKey: EntryID] = [:]
    var generation: Int64 = 7

    /// Answers store requests until a save, and returns the save; `nil` if there is none.
    @discardableResult
    mutating func serve() -> DocumentSave? {
      while let request = document.next() {
        switch request {
        case .lease: document.handle(.success(.opened(7)))
        case .read:
          var contents = DocumentContents(
            changeToken: ChangeToken(counts: [Int64(todos.count)]), todos: todos, texts: texts)
          for todo in [PassingEditTests.milk, PassingEditTests.rent, PassingEditTests.door] {
            contents.marks.add(todo.mark, of: todo.id)
          }
          document.handle(.success(.contents(contents)))
        case .generation(let number, _):
          let first = DocumentContents(todos: [PassingEditTests.milk, PassingEditTests.rent])
          var generation = first.generation(number)
          generation.entries = entries
          document.handle(.success(.generation(generation)))
        case .append:
          generation += 1
          document.handle(.success(.appended(generation)))
        case .save(let save): return save
        case _: document.handle(.success(.done))
        }
      }
      return nil
    }

    mutating func sent() throws -> ServerEdit {
      serve()
      let edit = document.nextEdit()
      return try #require(edit)
    }

    mutating func expectNoEdit() {
      serve()
      let edit = document.nextEdit()
      #expect(edit == nil)
    }

    /// Changes the list, as another user.
    mutating func change(_ todos: [DocumentTodo]) {
      self.todos = todos
      document.recordDecision()
    }

    mutating func type(_ text: String) {
      document.change(to: BufferText(text), version: (document.version ?? 0) + 1)
    }

    mutating func apply(_ edit: ServerEdit) {
      type(String(decoding: edit.expected.bytes, as: UTF8.self))
    }
  }

  private func string(_ edit: ServerEdit) -> String {
    String(decoding: edit.expected.bytes, as: UTF8.self)
  }

  // MARK: Rule 14: edits of the server

  @Test func editIsSentOnlyIntoAnUnchangedBuffer() throws {
    var session = Session(todos: [Self.milk, Self.rent])
    session.serve()
    session.type(Self.text.replacing("Buy milk", with: "Buy oat milk"))
    session.change([Self.milk, Self.rent, Self.door])
    session.expectNoEdit()
    session.document.save()
    session.serve()
    session.todos[0] = Self.todo("k3f9q2m7x0v5t8b1", 5, "Buy oat milk")
    session.document.handle(.success(.saved(DocumentReport())))
    let edit = try session.sent()
    #expect(edit.version == session.document.version)
    #expect(string(edit).contains("- [ ] Buy oat milk ^k3f9q2\n"))
    #expect(string(edit).contains("- [ ] Fix the door ^a8d1a8\n"))
  }

  @Test func oneEditIsInFlight() throws {
    var session = Session(todos: [Self.milk, Self.rent, Self.door])
    _ = try session.sent()
    session.change([Self.milk, Self.door])
    session.expectNoEdit()
    session.document.recordEditResponse(isApplied: false)
    let edit = try session.sent()
    #expect(!string(edit).contains("Pay the rent"))
  }

  @Test func refusedEditIsSentAgainAfterASave() throws {
    var session = Session(todos: [Self.milk, Self.rent, Self.door])
    let edit = try session.sent()
    session.document.recordEditResponse(isApplied: false)
    session.expectNoEdit()
    session.document.save()
    let again = try session.sent()
    #expect(again.expected == edit.expected)
  }

  @Test func noEditIsSentBetweenAResponseAndItsChange() throws {
    var session = Session(todos: [Self.milk, Self.rent, Self.door])
    let edit = try session.sent()
    session.document.recordEditResponse(isApplied: true)
    session.change(session.todos + [Self.todo("b1b1b1b1b1b1b1b1", 1, "Call Bob")])
    session.expectNoEdit()
    session.apply(edit)
    let next = try session.sent()
    #expect(string(next).contains("Call Bob"))
  }

  @Test func editInSeveralChangesIsNotTyping() throws {
    var session = Session(todos: [Self.milk])
    let edit = try session.sent()
    #expect(edit.edits.count == 2)
    var text = edit.source
    for part in edit.edits.reversed() {
      text = text.replacing([part])
      session.type(String(decoding: text.bytes, as: UTF8.self))
      session.expectNoEdit()
    }
    #expect(text == edit.expected && !session.document.isEdited)
    session.document.save()
    let save = session.serve()
    #expect(save == nil)
  }

  /// The space before a mark was deleted. An edit that only restores this mark creates no new
  /// generation.
  @Test func editOfTheSameGenerationIsNotTyping() throws {
    var session = Session(todos: [Self.milk, Self.rent, Self.door])
    session.apply(try session.sent())
    session.type(
      String(decoding: session.document.text.bytes, as: UTF8.self)
        .replacing(" ^k3f9q2", with: "^k3f9q2"))
    session.document.save()
    if session.serve() != nil { session.document.handle(.success(.saved(DocumentReport()))) }
    let edit = try session.sent()
    session.apply(edit)
    #expect(edit.number == session.generation && !session.document.isEdited)
    session.expectNoEdit()
  }

  @Test func editAndTypingMayBeOneChange() throws {
    var session = Session(todos: [Self.milk])
    let edit = try session.sent()
    session.type(string(edit).replacing("<!-- end", with: "- [ ] Typed\n<!-- end"))
    #expect(session.document.isEdited)
    session.document.save()
    let save = session.serve()
    #expect(save?.generation == 8)
    // The todo that the edit has removed is not removed once more.
    guard case .add(let content, _, _) = save?.changes.first, save?.changes.count == 1 else {
      Issue.record("Unexpected: \(String(describing: save?.changes))")
      return
    }
    #expect(content.title == "Typed")
  }

  /// The client has declared that it checks versions, but does not check them.
  @Test func editAppliedToAnotherTextRemovesNothing() throws {
    var session = Session(todos: [Self.milk, Self.rent, Self.door])
    let edit = try session.sent()
    session.type(Self.text.replacing("-->\n", with: "-->\n- [ ] New\n"))
    let text = session.document.text
    // The edit has overwritten another line than it was made for.
    session.type(
      String(decoding: text.replacing(edit.edits).bytes, as: UTF8.self)
        .replacing("- [ ] Buy milk ^k3f9q2\n", with: ""))
    session.document.save()
    let save = session.serve()
    for change in save?.changes ?? [] {
      if case .remove = change { Issue.record("A todo is removed: \(change)") }
    }
    #expect(save?.later == [] && save?.generation == 8)
    session.document.handle(.success(.saved(DocumentReport())))
    let next = try session.sent()
    #expect(string(next).contains("- [ ] Buy milk ^k3f9q2\n"))
  }

  @Test func clientWithoutVersionChecksGetsEditsOnRequest() throws {
    var session = Session(todos: [Self.milk, Self.rent])
    session.document = OpenDocument(
      BufferText(Self.text), version: 1, key: "p", list: Self.list, on: .first,
      unrequestedEdits: .never)
    session.expectNoEdit()
    #expect(!session.document.hasChanges)
    session.change([Self.milk, Self.rent, Self.door])
    session.expectNoEdit()
    #expect(session.document.hasChanges)
    let found = Diagnostics(session.document, ListDetails(), .utf16, on: .first).all
    #expect(found.map { $0["code"] } == ["changes"])
    let typed = Self.text.replacing("Buy milk", with: "Buy oat milk")
    session.type(typed)
    session.expectNoEdit()
    #expect(session.document.requestedEdit == nil)
    session.type(Self.text)
    session.document.save()
    session.serve()
    let edit = try #require(session.document.requestedEdit)
    #expect(string(edit).contains("- [ ] Fix the door ^a8d1a8\n"))
    session.apply(edit)
    session.expectNoEdit()
    #expect(!session.document.hasChanges)
    #expect(session.document.requestedEdit == nil)
  }

  /// A user requests an edit, types and saves, and only then applies the edit.
  ///
  /// - Parameter isBeforeStore: Whether the user applies the edit before the save is in the store.
  @Test(arguments: [false, true])
  func requestedEditThatIsAppliedLateAddsAndRemovesNothing(isBeforeStore: Bool) throws {
    var session = Session(todos: [Self.milk, Self.rent, Self.door])
    session.document = OpenDocument(
      BufferText(Self.text), version: 1, key: "p", list: Self.list, on: .first,
      unrequestedEdits: .never)
    session.serve()
    let edit = try #require(session.document.requestedEdit)
    session.type(Self.text.replacing("<!-- end", with: "- [ ] New\n<!-- end"))
    session.document.save()
    let edited = String(decoding: session.document.text.replacing(edit.edits).bytes, as: UTF8.self)
    if isBeforeStore { session.type(edited) }
    let save = session.serve()
    guard case .add(_, let key, _) = save?.changes.first else {
      Issue.record("Nothing is added.")
      return
    }
    // A server that starts later finds the addition in both generations.
    #expect(save?.later == [8])
    if !isBeforeStore { session.type(edited) }
    let new = Self.todo("b1b1b1b1b1b1b1b1", 1, "New")
    session.todos.append(new)
    var report = DocumentReport()
    report.entries[key] = .todo(new.id)
    session.document.handle(.success(.saved(report)))
    session.document.save()
    for change in session.serve()?.changes ?? [] {
      guard case .name(_, new.id) = change else {
        Issue.record("Unexpected: \(change)")
        return
      }
    }
  }

  @Test func anchorsOfTheUsersLinesAreNotReported() throws {
    var session = Session(todos: [Self.milk, Self.rent])
    session.document = OpenDocument(
      BufferText(Self.text), version: 1, key: "p", list: Self.list, on: .first,
      unrequestedEdits: .never)
    session.type(Self.text.replacing("<!-- end", with: "- [ ] Fix the door\n<!-- end"))
    session.document.save()
    let saved = session.serve()
    let save = try #require(saved)
    guard case .add(_, let key, _)? = save.changes.first else {
      Issue.record("\(save.changes)")
      return
    }
    session.todos.append(Self.door)
    var report = DocumentReport()
    report.entries[key] = .todo(Self.door.id)
    session.document.handle(.success(.saved(report)))
    session.serve()
    #expect(!session.document.hasChanges)
    #expect(session.document.requestedEdit != nil)
  }

  @Test func versionZeroMeansAnyVersionToSomeClients() {
    #expect(!UnrequestedEdits.afterFirstChange.isAllowed(forVersion: 0))
    #expect(UnrequestedEdits.afterFirstChange.isAllowed(forVersion: 1))
    #expect(UnrequestedEdits.always.isAllowed(forVersion: 0))
    #expect(!UnrequestedEdits.always.isAllowed(forVersion: nil))
    #expect(!UnrequestedEdits.never.isAllowed(forVersion: 1))
  }

  // MARK: Rule 15: lines keep their identity

  @Test func lineEditedAfterItsSaveIsTheSameTodo() throws {
    var session = Session(todos: [Self.milk, Self.rent])
    session.serve()
    let typed = Self.text.replacing("<!-- end", with: "- [ ] Fix the do\n<!-- end")
    session.type(typed)
    session.document.save()
    let save = session.serve()
    guard case .add(_, let key, _) = save?.changes.first else {
      Issue.record("Nothing is added.")
      return
    }
    session.todos.append(Self.todo("a8d1a8d1a8d1a8d1", 1, "Fix the do"))
    // The user types while the save is on its way, so the anchor is never inserted.
    session.type(typed.replacing("the do", with: "the door").replacing("-->\n", with: "-->\n\n"))
    var report = DocumentReport()
    report.entries[key] = .todo(Self.door.id)
    session.document.handle(.success(.saved(report)))
    session.expectNoEdit()
    session.document.save()
    let changes = session.serve()?.changes ?? []
    let edited = changes.compactMap { change -> String? in
      guard case .edit(Self.door.id, let edit) = change else { return nil }
      return edit.content.title
    }
    #expect(edited == ["Fix the door"])
    for change in changes { if case .add = change { Issue.record("Added again: \(change)") } }
  }

  @Test func savedPlainLineIsNotAddedAgain() throws {
    var session = Session(todos: [Self.milk, Self.rent])
    session.type(Self.text.replacing("<!-- end", with: "Not a todo\n<!-- end"))
    session.document.save()
    let save = session.serve()
    guard case .addLines(let lines, _) = save?.changes.first else {
      Issue.record("The line is not saved.")
      return
    }
    session.texts = [PlainLine(id: 5, text: "Not a todo", after: Self.rent.id)]
    var report = DocumentReport()
    for line in lines { report.entries[line.addition] = .text(5) }
    session.document.handle(.success(.saved(report)))
    session.document.save()
    let next = session.serve()
    #expect(next == nil)
  }

  @Test func lineAppliedByAnEarlierServerGetsItsAnchor() throws {
    var session = Session(todos: [Self.milk, Self.rent, Self.door])
    let typed = Self.text.replacing("<!-- end", with: "- [ ] Fix the door\nNot a todo\n<!-- end")
    session.type(typed)
    session.document.save()
    let saved = session.serve()
    let save = try #require(saved)
    let entries: [String: EntryID] = [
      "Not a todo": .text(5), "Fix the door": .todo(Self.door.id),
    ]
    for change in save.changes {
      switch change {
      case .add(let content, let key, _): session.entries[key] = entries[content.title]
      case .addLines(let lines, _):
        for line in lines { session.entries[line.addition] = entries[line.text] }
      case _: Issue.record("Unexpected change: \(change)")
      }
    }
    session.texts = [PlainLine(id: 5, text: "Not a todo", after: Self.door.id)]
    // The server is killed before it receives the response, and the user continues typing.
    session.document = OpenDocument(
      BufferText(typed), version: 1, key: "p", list: Self.list, on: .first)
    session.type(typed.replacing("- [ ] Buy", with: "- [ ] Call\n- [ ] Buy"))
    session.document.save()
    let changes = session.serve()?.changes
    #expect(changes?.count == 2)
    guard case .add(let content, _, _) = changes?.first else {
      Issue.record("Nothing is added.")
      return
    }
    #expect(content.title == "Call")
  }
}

extension String {
  fileprivate func replacing(_ old: String, with new: String) -> String {
    var bytes = Array(utf8)
    let wanted = Array(old.utf8)
    let start = bytes.indices.first { bytes[$0...].starts(with: wanted) }
    if let start { bytes.replaceSubrange(start..<start + wanted.count, with: new.utf8) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
