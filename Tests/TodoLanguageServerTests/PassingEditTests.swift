import Testing
import TodoDocument
import TodoModel

@testable import TodoLanguageServer

/// Tests edits of the server and the user that cross on the way.
struct PassingEditTests {
  private static let list = TodoListKey(profile: "ann", source: "")
  private static let milk = todo("k3f9q2m7x0v5t8b1", 4, "Buy milk")
  private static let rent = todo("p2q7h4d6s8w0c3n5", 2, "Pay the rent")
  private static let door = todo("a8d1a8d1a8d1a8d1", 1, "Fix the door")
  private static let text = """
    <!-- todo-server ann local 7 -->
    - [ ] Buy milk ^k3f9q2m7x0v5t8b1.4
    - [ ] Pay the rent ^p2q7h4d6s8w0c3n5.2
    <!-- end -->

    """

  private static func todo(_ id: String, _ version: Int64, _ title: String) -> DocumentTodo {
    DocumentTodo(
      id: TodoID(id), version: version,
      content: TodoContent(title: title, note: "", isDone: false))
  }

  /// A buffer as a string, and a store that consists of values.
  private struct Session {
    var document = OpenDocument(
      BufferText(PassingEditTests.text), version: 1, key: "p", list: PassingEditTests.list,
      on: .first)
    var todos: [DocumentTodo]
    var texts: [PlainLine] = []
    /// The entries that lines typed into the first text became.
    var entries: [AdditionKey: EntryID] = [:]
    var generation: Int64 = 7

    /// Answers store requests up to the next save.
    @discardableResult
    mutating func serve() -> DocumentSave? {
      while let request = document.next() {
        switch request {
        case .lease: document.handle(.success(.opened(7)))
        case .read:
          document.handle(
            .success(
              .contents(
                DocumentContents(
                  changeToken: ChangeToken(counts: [Int64(todos.count)]), todos: todos, texts: texts
                )))
          )
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

    mutating func pushed() throws -> SentEdit {
      serve()
      let push = document.nextPush()
      return try #require(push)
    }

    mutating func type(_ text: String) {
      document.change(to: BufferText(text), version: (document.version ?? 0) + 1)
    }

    mutating func apply(_ push: SentEdit) {
      document.change(to: push.expected, version: (document.version ?? 0) + 1)
    }
  }

  private func string(_ push: SentEdit) -> String {
    String(decoding: push.expected.bytes, as: UTF8.self)
  }

  @Test func savedLineIsRecordedAtTheNextGeneration() throws {
    var session = Session(todos: [Self.milk, Self.rent, Self.door])
    session.type(Self.text.replacing("Buy milk", with: "Buy oat milk"))
    let push = try session.pushed()
    #expect(string(push).contains("Fix the door"))
    session.document.save()
    session.serve()
    session.apply(push)
    session.todos[0] = Self.todo("k3f9q2m7x0v5t8b1", 5, "Buy oat milk")
    session.document.handle(.success(.saved(DocumentReport())))
    let last = try session.pushed()
    #expect(string(last).contains("- [ ] Buy oat milk ^k3f9q2m7x0v5t8b1.5\n"))
  }

  @Test func conflictingDeletionRestoresTheLineAtTheNextGeneration() throws {
    // Another user has changed the line that the user deletes.
    let changed = Self.todo("k3f9q2m7x0v5t8b1", 5, "Buy oat milk")
    var session = Session(todos: [changed, Self.rent, Self.door])
    session.type(
      Self.text.replacing(
        "- [ ] Buy milk ^k3f9q2m7x0v5t8b1.4\n", with: ""
      ).replacing("Pay the rent", with: "Pay the rent today"))
    let push = try session.pushed()
    #expect(!string(push).contains("milk"))
    session.document.save()
    session.serve()
    session.apply(push)
    session.todos[1] = Self.todo("p2q7h4d6s8w0c3n5", 3, "Pay the rent today")
    session.document.handle(.success(.saved(DocumentReport())))
    let last = try session.pushed()
    #expect(string(last).contains("- [ ] Buy oat milk ^k3f9q2m7x0v5t8b1.5\n"))
  }

  @Test func savedPlainLineIsRecordedAtTheNextGeneration() throws {
    var session = Session(todos: [Self.milk, Self.rent, Self.door])
    session.type(Self.text.replacing("<!-- end", with: "Not a todo\n<!-- end"))
    let push = try session.pushed()
    session.document.save()
    let save = session.serve()
    guard case .addLines(let lines, _) = save?.changes.first else {
      Issue.record("The line is not saved.")
      return
    }
    // It is recorded for both generations, for a server that starts later.
    #expect(save?.generation == 7)
    #expect(save?.later == [8])
    session.apply(push)
    session.texts = [PlainLine(id: 5, text: "Not a todo", after: Self.door.id)]
    var report = DocumentReport()
    for line in lines { report.entries[line.addition] = .text(5) }
    session.document.handle(.success(.saved(report)))
    session.document.save()
    // The line is not added again.
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
    let push = try session.pushed()
    #expect(string(push).contains("- [ ] Fix the door ^a8d1a8d1a8d1a8d1.1\nNot a todo\n<!-- end"))
    #expect(string(push).contains("- [ ] Call\n- [ ] Buy milk"))
    session.document.save()
    let changes = session.serve()?.changes
    #expect(changes?.count == 2)
    guard case .add(let content, _, _) = changes?.first else {
      Issue.record("Nothing is added.")
      return
    }
    #expect(content.title == "Call")
  }

  /// A client that does not check versions receives an edit only after a pause in typing.
  @Test func editIsDebouncedIfTheClientDoesNotCheckVersions() throws {
    var session = Session(todos: [Self.milk, Self.rent])
    session.document = OpenDocument(
      BufferText(Self.text), version: 1, key: "p", list: Self.list, on: .first, debounces: true)
    session.serve()
    session.type(Self.text.replacing("Buy milk", with: "Buy oat milk"))
    session.todos.append(Self.door)
    session.document.recordDecision()
    for _ in 0..<2 {
      session.serve()
      let early = session.document.nextPush()
      #expect(early == nil && session.document.awaitsTime)
      session.document.timePassed()
    }
    #expect(!session.document.awaitsTime)
    let push = try session.pushed()
    #expect(string(push).contains("- [ ] Fix the door"))
    // Without typing, an edit is sent immediately.
    session.apply(push)
    session.document.timePassed()
    session.document.timePassed()
    session.todos[1] = Self.todo("p2q7h4d6s8w0c3n5", 3, "Pay the rent today")
    session.document.recordDecision()
    let next = try session.pushed()
    #expect(string(next).contains("today"))
  }

  @Test func oneEditIsInFlightToAClientThatResponds() throws {
    var session = Session(todos: [Self.milk, Self.rent])
    session.todos.append(Self.door)
    _ = try session.pushed()
    session.document.recordEditResponse(isLast: true, isApplied: false)
    session.type(Self.text.replacing("Buy milk", with: "Buy oat milk"))
    _ = try session.pushed()
    session.type(Self.text.replacing("Buy milk", with: "Buy rice milk"))
    session.serve()
    let early = session.document.nextPush()
    #expect(early == nil)
    session.document.recordEditResponse(isLast: true, isApplied: false)
    _ = try session.pushed()
  }

  @Test func noEditIsSentBetweenAResponseAndItsChange() throws {
    var session = Session(todos: [Self.milk, Self.rent, Self.door])
    let push = try session.pushed()
    session.document.recordEditResponse(isLast: true, isApplied: true)
    session.todos.append(Self.todo("b1b1b1b1b1b1b1b1", 1, "Call Bob"))
    session.document.recordDecision()
    session.serve()
    let early = session.document.nextPush()
    #expect(early == nil)
    session.apply(push)
    let next = try session.pushed()
    #expect(string(next).contains("Call Bob"))
  }

  @Test func appliedPushInSeveralEditsIsNotTyping() throws {
    var session = Session(todos: [Self.milk])
    let push = try session.pushed()
    #expect(push.edits.count == 2)
    var text = push.source
    for edit in push.edits.reversed() {
      text = text.replacing([edit])
      session.document.change(to: text, version: (session.document.version ?? 0) + 1)
      session.serve()
      let early = session.document.nextPush()
      #expect(early == nil)
    }
    #expect(text == push.expected)
    session.document.save()
    let save = session.serve()
    #expect(save == nil)
  }

  @Test func noOpEditOfSeveralIsNotExpected() {
    let text = BufferText("one\ntwo\nthree\n")
    let edits = [
      TextReplacement(range: 0..<3, text: Array("One".utf8)),
      TextReplacement(range: 4..<7, text: Array("two".utf8)),
      TextReplacement(range: 8..<13, text: Array("Three".utf8)),
    ]
    let first = PartialEdit(edits, from: text).next(giving: BufferText("one\ntwo\nThree\n"))
    #expect(first?.isWhole == false)
    #expect(first?.next(giving: BufferText("One\ntwo\nThree\n"))?.isWhole == true)
  }

  @Test func editAppliedToAShorterTextDoesNotTrap() throws {
    var session = Session(todos: [Self.milk])
    let push = try session.pushed()
    let typed = Self.text.replacing("- [ ] Pay the rent ^p2q7h4d6s8w0c3n5.2\n", with: "")
    session.type(typed)
    session.apply(push)
    #expect(session.document.text == push.expected)
  }

  @Test func typingAfterAMisappliedEditIsKept() throws {
    var session = Session(todos: [Self.milk, Self.rent, Self.door])
    let push = try session.pushed()
    let typed = BufferText(Self.text.replacing("-->\n", with: "-->\n- [ ] New\n"))
    session.document.change(to: typed, version: 2)
    let misapplied = typed.replacing(push.edits(movedTo: typed, .utf16))
    session.document.change(to: misapplied, version: 3)
    let more = String(decoding: misapplied.bytes, as: UTF8.self)
      .replacing("] New", with: "] New and more")
    session.type(more)
    // The user's edits are saved immediately.
    session.serve()
    session.document.handle(.success(.saved(DocumentReport())))
    let last = try session.pushed()
    #expect(string(last).contains("- [ ] New and more\n"))
    #expect(string(last).contains("- [ ] Buy milk ^k3f9q2m7x0v5t8b1.4\n"))
    #expect(string(last).contains("- [ ] Pay the rent ^p2q7h4d6s8w0c3n5.2\n"))
  }

  @Test func wordTypedIntoAMisappliedEditStaysWhole() throws {
    let later = Self.todo("p2q7h4d6s8w0c3n5", 3, "Pay the rent today")
    var session = Session(todos: [Self.milk, later])
    let push = try session.pushed()
    let typed = BufferText(Self.text.replacing("-->\n", with: "-->\n- [ ] New\n"))
    session.document.change(to: typed, version: 2)
    // The edit replaces another line.
    let misapplied = typed.replacing(push.edits(movedTo: typed, .utf16))
    session.document.change(to: misapplied, version: 3)
    session.type(
      String(decoding: misapplied.bytes, as: UTF8.self)
        .replacing("] Pay the rent today", with: "] Pass Pay the rent today"))
    session.serve()
    session.document.handle(.success(.saved(DocumentReport())))
    let last = try session.pushed()
    #expect(string(last).contains("- [ ] Pass"))
    #expect(string(last).contains("- [ ] Buy milk ^k3f9q2m7x0v5t8b1.4\n"))
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
