import Testing
import TodoDocument
import TodoModel

@testable import TodoLanguageServer

/// Tests that a buffer stays unmodified after its save (rule 16 for documents). The list is in
/// memory.
struct RequestedMarksTests {
  private static let list = TodoListKey(profile: "ann", source: "")
  private static let milk = DocumentTodo(
    id: TodoID("k3f9q2m7x0v5t8b1"), version: 4,
    content: TodoContent(title: "Buy milk", note: "", isDone: false))
  /// The ID of the first line that the store adds without a mark.
  private static let bread = TodoID("b-1")

  private var document: OpenDocument
  private var pool = MarkPool()
  private var contents: DocumentContents
  private var version: Int64 = 1
  private var requests: [DocumentRequest] = []
  private var editCount = 0
  private var addedCount = 0
  /// The generation that the store returns, whatever number is requested. If `printed` is `nil`,
  /// the store returns a generation of the present list.
  private var printed: DocumentGeneration?

  init() {
    contents = DocumentContents(todos: [Self.milk])
    let text = String(
      decoding: DocumentPrinter.print(
        DocumentHeading(list: Self.list, generation: 7), contents), as: UTF8.self)
    document = Self.open(text)
    work()
  }

  private func mark(_ letter: String, _ number: Int) -> TodoMark {
    TodoMark("\(letter)\(String(number + 100_000).dropFirst())") ?? Self.milk.mark
  }

  private static func open(
    _ text: String, version: Int64 = 1, edits: UnrequestedEdits = .always
  ) -> OpenDocument {
    OpenDocument(
      BufferText(text), version: version, key: "p", list: list, on: .first,
      unrequestedEdits: edits)
  }

  private var text: String { String(decoding: document.text.bytes, as: UTF8.self) }

  /// Answers the requests of the server until there is none, and applies its edits.
  private mutating func work() {
    requests.removeAll()
    while true {
      let request = pool.next() ?? document.next()
      if let edit = document.nextEdit() {
        editCount += 1
        version += 1
        document.change(to: document.text.replacing(edit.edits), version: version)
        continue
      }
      guard let request else { return }
      requests.append(request)
      switch request {
      case .lease: document.handle(.success(.opened(7)))
      case .reserveMarks(let count):
        let reserved = (1...count).map { number in
          ReservedMark(mark: mark("a", number), id: TodoID("a-\(number)"))
        }
        for new in reserved { contents.marks.add(new.mark, of: new.id) }
        document.add(pool.handle(.success(.reservedMarks(reserved))))
      case .read: document.handle(.success(.contents(contents)))
      case .generation(let number, _):
        document.handle(.success(.generation(printed ?? contents.generation(number))))
      case .save(let save): document.handle(.success(.saved(apply(save))))
      case .append(let generation, _):
        document.handle(.success(.appended(generation.number + 8)))
      case _: document.handle(.success(.done))
      }
    }
  }

  /// Applies added and edited lines to the list.
  private mutating func apply(_ save: DocumentSave) -> DocumentReport {
    var report = DocumentReport()
    contents.changeToken.counts = [(contents.changeToken.counts.first ?? 0) + 1]
    for change in save.changes {
      switch change {
      case .addMarked(let id, let edit, _):
        let number = Int(id.text.dropFirst(2)) ?? 0
        contents.todos.append(
          DocumentTodo(id: id, mark: mark("a", number), version: 1, content: edit.content))
        report.entries[edit.additionKey] = .todo(id)
      case .add(let content, let key, _):
        addedCount += 1
        let todo = DocumentTodo(
          id: TodoID("b-\(addedCount)"), mark: mark("b", addedCount), version: 1, content: content)
        contents.todos.append(todo)
        contents.marks.add(todo.mark, of: todo.id)
        report.entries[key] = .todo(todo.id)
      case .edit(let id, let edit):
        for index in contents.todos.indices where contents.todos[index].id == id {
          contents.todos[index].content = edit.content
          contents.todos[index].version += 1
        }
      case _: continue
      }
    }
    return report
  }

  private mutating func replace(_ old: String, with new: String) {
    version += 1
    let changed = text.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
      .joined(separator: new)
    document.change(to: BufferText(changed), version: version)
  }

  private mutating func type(_ line: String) { replace("<!-- end", with: "\(line)\n<!-- end") }

  /// Applies the marks as a client does, and saves the buffer.
  private mutating func save(isAutomatic: Bool = false, applies: Bool = true) {
    let edits = document.editsBeforeSave(isAutomatic: isAutomatic, from: &pool)
    if applies, !edits.isEmpty {
      version += 1
      document.change(to: document.text.replacing(edits), version: version)
    }
    document.save()
    work()
  }

  /// A client may ask for the symbols of a document before the server has read the list.
  @Test func marksAreNotInTitlesBeforeTheListIsRead() {
    let read = ReadText(BufferText("- [ ] Milk ^k3f9qd\n"), on: .first, marks: nil)
    guard case .todo(let line)? = read.document.entries.first else {
      Issue.record("\(read.document)")
      return
    }
    #expect(line.content.title == "Milk" && line.mark == nil)
    #expect(read.finding(AssignedMarks()).document != read.document)
  }

  @Test mutating func rule16NewLinesAreMarkedBeforeTheirSave() throws {
    type("- [ ] Bread  ")
    save()
    #expect(text.contains("\n- [ ] Bread ^a00001\n<!-- end"))
    #expect(contents.todos.map(\.id) == [Self.milk.id, TodoID("a-1")])
    #expect(editCount == 0)
    // The next save of the same text has no changes.
    save()
    #expect(editCount == 0 && requests.isEmpty)
  }

  @Test mutating func rule16SavedEditOfALineLeavesTheBufferUnmodified() {
    for title in ["Buy oat milk", "Buy oat milk and bread", "Milk"] {
      replace(text.contains("Buy milk") ? "Buy milk" : contents.todos[0].content.title, with: title)
      save()
      #expect(contents.todos.map(\.content.title) == [title])
      #expect(contents.todos[0].sides.isEmpty)
    }
    #expect(editCount == 0)
  }

  @Test mutating func rule16EditedLinesArePrintedBeforeTheirSave() {
    for (old, new, printed) in [
      ("- [ ] Buy milk", "  - [ ] Buy milk", "- [ ] Buy milk ^k3f9q2"),
      ("^k3f9q2", "^k3f9q2 now", "- [ ] Buy milk now ^k3f9q2"),
      ("- [ ] Buy milk now", "Buy milk", "- [ ] Buy milk ^k3f9q2"),
      ("milk ^k3f9q2", "\nmilk #b !high #a ^k3f9q2 ", "- [ ] Buy milk #a #b !high ^k3f9q2"),
    ] {
      replace(old, with: new)
      save()
      #expect(text.contains("\n\(printed)\n<!-- end"), "\(text)")
    }
    #expect(editCount == 0)
  }

  @Test mutating func rule16MarksThatTheClientDoesNotApplyAreIgnored() {
    type("- [ ] Bread")
    save(applies: false)
    #expect(contents.todos.map(\.id) == [Self.milk.id, Self.bread])
    // The server's edit marks the line, as for a client that requests no marks.
    #expect(editCount == 1 && text.contains("- [ ] Bread ^b00001\n"))
  }

  @Test mutating func rule16AutosaveLeavesTheLineChangedLastWithoutAMark() {
    type("- [ ] Bread")
    type("- [ ] Chee")
    save(isAutomatic: true)
    #expect(text.contains("- [ ] Bread ^a00001\n- [ ] Chee\n"))
    #expect(editCount == 0)
    let ids = contents.todos.map(\.id)
    replace("Chee\n", with: "Cheese\n")
    type("- [ ] Salt")
    save(isAutomatic: true)
    #expect(text.contains("- [ ] Cheese ^b00001\n- [ ] Salt\n"))
    #expect(Array(contents.todos.map(\.id).prefix(3)) == ids)
    #expect(contents.todos[2].content.title == "Cheese")
    #expect(editCount == 0)
  }

  @Test mutating func rule16ACopiedLineGetsItsOwnMark() {
    type("- [ ] Buy milk ^k3f9q2")
    type("- [ ] Like ^k3f9.4")
    save()
    let lines = "- [ ] Buy milk ^k3f9q2\n- [ ] Buy milk ^a00001\n"
    #expect(text.contains(lines))
    // Text that only looks like a mark is never replaced.
    #expect(contents.todos.map(\.content.title).contains("Like ^k3f9.4"))
  }

  @Test mutating func rule3TheBulletAndTheTickStayUnchanged() {
    type("* [ ] Bread")
    type("+ [X] Salt")
    save()
    #expect(text.contains("\n* [ ] Bread ^a00001\n+ [X] Salt ^a00002\n"))
    contents.todos[1].content.title = "Rye bread"
    contents.todos[1].version = 2
    contents.todos[2].content.title = "Sea salt"
    contents.changeToken.counts = [99]
    document.listDidChange(to: contents.changeToken)
    work()
    #expect(
      text.contains("\n* [ ] Rye bread ^a00001\n+ [X] Sea salt ^a00002\n"))
    #expect(editCount == 1)
  }

  @Test mutating func rule16ChangesMadeElsewhereAreStillSent() {
    save()
    var door = Self.milk
    door = DocumentTodo(
      id: TodoID("d000000000000001"), version: 4,
      content: TodoContent(title: "Fix the door", note: "", isDone: false))
    contents.todos.append(door)
    contents.changeToken.counts = [99]
    document.listDidChange(to: contents.changeToken)
    work()
    #expect(editCount == 1 && text.contains("- [ ] Fix the door ^d00000\n"))
  }

  @Test mutating func rule16TheFirstLineIsCorrectedBeforeTheSave() {
    // Neovim gets no edit before its first change.
    document = Self.open(
      text.replacing("local 7 -->", with: "local 7 (not running) -->"), version: 0,
      edits: .afterFirstChange)
    work()
    type("- [ ] Bread")
    save()
    #expect(text.contains("local 7 -->\n") && editCount == 0)
  }

  /// Larger texts cannot be compared with the list within 80 ms, the time limit for the response.
  @Test mutating func rule16LargeTextsAreNotMarked() {
    type("- [ ] Bread")
    type(String(repeating: "Much text\n", count: RequestedMarks.bytesMax / 10 + 1))
    #expect(document.editsBeforeSave(isAutomatic: false, from: &pool).isEmpty)
  }

  /// The server has ended after a save, before the buffer has received the new version of the todo.
  @Test mutating func rule12AReopenedBufferDoesNotConflictWithItself() {
    printed = contents.generation(7)
    replace("Buy milk", with: "Buy oat milk")
    save()
    document = Self.open(text, edits: .never)
    work()
    replace("Buy oat milk", with: "Buy oat milk, 2 l")
    document.save()
    guard case .save(let save)? = document.next(), case .edit(_, let edit)? = save.changes.first
    else {
      Issue.record("The edit is not saved.")
      return
    }
    #expect(edit.version == 5)
  }
}
