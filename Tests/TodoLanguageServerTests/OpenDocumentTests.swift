import Testing
import TodoDocument
import TodoModel

@testable import TodoLanguageServer

/// Tests an open document against a list in memory, without a store.
struct OpenDocumentTests {
  private static let list = TodoListKey(profile: "ann", source: "")
  private static let milk = todo("k3f9q2m7x0v5t8b1", 4, "Buy milk")
  private static let rent = todo("p2q7h4d6s8w0c3n5", 2, "Pay the rent", note: "By Friday")
  private static let text = """
    <!-- todo-server ann local 7 -->
    - [ ] Buy milk ^k3f9q2
    - [ ] Pay the rent ^p2q7h4
      By Friday
    <!-- end -->

    """

  private static func todo(
    _ id: String, _ version: Int64, _ title: String, note: String = "", isDone: Bool = false
  ) -> DocumentTodo {
    DocumentTodo(
      id: TodoID(id), version: version,
      content: TodoContent(title: title, note: note, isDone: isDone))
  }

  private static func contents(_ todos: [DocumentTodo]) -> DocumentContents {
    DocumentContents(changeToken: ChangeToken(counts: [Int64(todos.count)]), todos: todos)
  }

  /// Returns the text and the generation after an edit of the server; `nil` if the server sends no
  /// edit. The given text is based on generation 7, which contained `milk` and `rent`.
  private func pushed(
    _ text: String, now todos: [DocumentTodo]
  ) -> (text: String, generation: DocumentGeneration)? {
    var all = Self.contents([Self.milk, Self.rent] + todos)
    all.todos = todos
    let read = ReadText(BufferText(text), on: .first, marks: all.marks)
    let known = BufferHistory(Self.contents([Self.milk, Self.rent]).generation(7))
    let plan = EditPlan(read, known: known, appliedLines: [:], contents: all, path: "p")
    guard !plan.isEmpty else { return nil }
    let new = read.text.replacing(plan.replacements(number: 8))
    return (String(decoding: new.bytes, as: UTF8.self), plan.generation)
  }

  @Test func unchangedListSendsNoEdit() {
    #expect(pushed(Self.text, now: [Self.milk, Self.rent]) == nil)
    let typed = Self.text.replacingFirst("<!-- end", with: "- [ ] Half a li\n<!-- end")
    #expect(pushed(typed, now: [Self.milk, Self.rent]) == nil)
  }

  @Test func changesOfOthersAreSentWithTheFirstLine() throws {
    let new = Self.todo("a8d1a8d1a8d1a8d1", 1, "Fix the door")
    let done = Self.todo("k3f9q2m7x0v5t8b1", 5, "Buy milk", isDone: true)
    let push = try #require(pushed(Self.text, now: [new, done]))
    #expect(
      push.text == """
        <!-- todo-server ann local 8 -->
        - [ ] Fix the door ^a8d1a8
        - [x] Buy milk ^k3f9q2
        <!-- end -->

        """)
  }

  @Test func lineBeingEditedIsNotReplaced() throws {
    let typed = Self.text.replacingFirst("Buy milk", with: "Buy oat mi")
    let done = Self.todo("k3f9q2m7x0v5t8b1", 5, "Buy milk", isDone: true)
    #expect(pushed(typed, now: [done, Self.rent]) == nil)
    let new = Self.todo("a8d1a8d1a8d1a8d1", 1, "Fix the door")
    let push = try #require(pushed(typed, now: [done, Self.rent, new]))
    #expect(push.text.contains("- [ ] Buy oat mi ^k3f9q2\n"))
    #expect(push.text.contains("  By Friday\n- [ ] Fix the door ^a8d1a8\n<!-- end"))
    // The next save must be merged with the version that the user saw.
    #expect(push.generation.lines[Self.milk.id]?.version == 4)
  }

  @Test func firstLineLosesTheNoteThatNoServerRuns() throws {
    let closed = Self.text.replacingFirst("local 7", with: "local 7 (not running)")
    #expect(
      try #require(pushed(closed, now: [Self.milk, Self.rent])).text
        == Self.text.replacingFirst("local 7", with: "local 8"))
  }

  @Test func indentationOfTheEndMarkerIsRemoved() throws {
    let indented = Self.text.replacingFirst("<!-- end", with: "  <!-- end")
    #expect(
      try #require(pushed(indented, now: [Self.milk, Self.rent])).text
        == Self.text.replacingFirst("local 7", with: "local 8"))
    // Not while the user types the note above it.
    let typed = indented.replacingFirst("By Friday", with: "By Friday\n  or")
    #expect(pushed(typed, now: [Self.milk, Self.rent]) == nil)
  }

  @Test func deletedLineIsNotInsertedAgain() throws {
    let deleted = Self.text.replacingFirst("- [ ] Buy milk ^k3f9q2\n", with: "")
    let done = Self.todo("k3f9q2m7x0v5t8b1", 5, "Buy milk", isDone: true)
    #expect(pushed(deleted, now: [done, Self.rent]) == nil)
    let push = try #require(pushed(deleted, now: [done]))
    #expect(push.text == "<!-- todo-server ann local 8 -->\n<!-- end -->\n")
    #expect(push.generation.lines[Self.milk.id]?.version == 4)
  }

  @Test func carriageReturnsAreKept() throws {
    let text = Self.text.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\r\n")
    let new = Self.todo("a8d1a8d1a8d1a8d1", 1, "Fix the door", note: "Today")
    let push = try #require(pushed(text, now: [new, Self.milk, Self.rent]))
    #expect(push.text.contains("- [ ] Fix the door ^a8d1a8\r\n  Today\r\n- [ ] Buy"))
  }

  @Test func textWithoutAListSendsNoRequest() {
    for text in ["", "# Mine\n", "<!-- todo-server bob local 7 -->\n<!-- end -->\n"] {
      var document = OpenDocument(
        BufferText(text), version: 1, key: "p", list: Self.list, on: .first)
      document.save()
      #expect(document.next() == nil)
    }
  }

  @Test func changeOfNoBytesIsNotAnEdit() {
    var document = OpenDocument(
      BufferText(Self.text), version: 1, key: "p", list: Self.list, on: .first)
    let place = TextPosition(line: 1, character: 6)
    document.change(by: [.part(from: place, to: place, "")], .utf16, version: 2)
    #expect(!document.isEdited)
    #expect(document.version == 2)
    document.change(by: [.part(from: place, to: place, "x")], .utf16, version: 3)
    #expect(document.isEdited)
    #expect(document.text.line(1).elementsEqual("- [ ] xBuy milk ^k3f9q2".utf8))
  }

  @Test func textWithTooManyLinesIsNotStored() {
    let heading = "<!-- todo-server ann local 0 -->\n"
    let long = heading + String(repeating: "a\n", count: OpenDocument.linesMax)
    var document = OpenDocument(
      BufferText(long), version: 1, key: "p", list: Self.list, on: .first)
    document.save()
    #expect(document.next() == nil)
    document.change(to: BufferText(heading), version: 2, by: LineMapping())
    #expect(document.next() != nil)
  }

  @Test func documentOfAnotherStoreIsNotEdited() {
    var document = OpenDocument(
      BufferText(Self.text), version: 1, key: "p", list: Self.list, on: .first)
    document.save()
    #expect(document.next() == .lease(path: "p"))
    document.handle(.success(.opened(1)))
    #expect(document.next() == .read(path: "p"))
    document.handle(.success(.contents(Self.contents([]))))
    #expect(document.next() == .generation(7, path: "p"))
    document.handle(.success(.generation(nil)))
    #expect(document.next() == nil)
    #expect(document.belongsToOtherStore)
    #expect(document.nextEdit() == nil)
  }

  @Test func failedRequestIsRetriedAfterASave() {
    var document = OpenDocument(
      BufferText(Self.text), version: 1, key: "p", list: Self.list, on: .first)
    document.save()
    #expect(document.next() == .lease(path: "p"))
    document.handle(.failure(.storage("The disk is full.")))
    #expect(document.next() == nil)
    #expect(document.problem?.message == "The disk is full.")
    document.save()
    #expect(document.next() == .lease(path: "p"))
  }

  @Test func failedRequestIsRetriedByTimer() {
    var document = OpenDocument(
      BufferText(Self.text), version: 1, key: "p", list: Self.list, on: .first)
    document.save()
    for _ in 0..<3 {
      #expect(document.next() == .lease(path: "p"))
      document.handle(.failure(.storage("The list is in use by another program.")))
      for _ in 0..<8 {
        #expect(document.next() == nil)
        #expect(document.awaitsTime)
        document.timePassed()
      }
    }
    #expect(document.next() == .lease(path: "p"))
    document.handle(.success(.opened(1)))
    #expect(!document.awaitsTime && document.isBusy)
  }
}

extension String {
  /// Returns the string with the first occurrence of a text replaced.
  fileprivate func replacingFirst(_ old: String, with new: String) -> String {
    guard let range = utf8Range(of: old) else { return self }
    var bytes = Array(utf8)
    bytes.replaceSubrange(range, with: new.utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func utf8Range(of text: String) -> Range<Int>? {
    let (bytes, wanted) = (Array(utf8), Array(text.utf8))
    guard bytes.count >= wanted.count else { return nil }
    let start = (0...bytes.count - wanted.count).first {
      bytes[$0..<$0 + wanted.count].elementsEqual(wanted)
    }
    return start.map { $0..<$0 + wanted.count }
  }
}
