import JSONRPC
import Testing
import TodoModel
import TodoWorkflows

@testable import TodoProtocol

@Suite("Requests about the session and todos")
struct TodoCallTests {
  private func params(_ text: String) throws -> Params {
    try Params(try JSON(parsing: Array(text.utf8)))
  }

  @Test("screen/change")
  func screenChange() throws {
    let change = try ScreenChange(
      try params(#"{"screen": "welcome", "values": {"name": "ann", "password": ""}}"#))
    #expect(change.screen == "welcome")
    #expect(change.values == ["name": "ann", "password": ""])
  }

  @Test("screen/act")
  func screenAct() throws {
    let full = try ScreenAct(
      try params(
        #"{"screen": "s", "action": "a", "item": "i", "values": {"x": "y"}, "base": "b"}"#))
    #expect(full.screen == "s")
    #expect(full.action == "a")
    #expect(full.items == ["i"])
    #expect(full.values == ["x": "y"])
    #expect(full.base == "b")
    let short = try ScreenAct(try params(#"{"screen": "s", "action": "a", "item": null}"#))
    #expect(short.items == [])
    #expect(short.values == [:])
    #expect(short.base == nil)
    let many = try ScreenAct(try params(#"{"screen": "s", "action": "a", "items": ["i", "j"]}"#))
    #expect(many.items == ["i", "j"])
  }

  @Test(
    "screen/act with a wrong array of items",
    arguments: [
      (#"["i"], "item": "i""#, "params.items: expected item or items, got both"),
      ("[]", "params.items: expected 1 to 1000 ids, got 0"),
      (#"["i", "j", "i"]"#, "params.items[2]: expected an id that is not in the array before"),
      (#"["i", 7]"#, "params.items[1]: expected string, got number"),
      (
        "[\((0...1000).map { "\"\($0)\"" }.joined(separator: ","))]",
        "params.items: expected 1 to 1000 ids, got 1001"
      ),
    ])
  func wrongItems(items: String, message: String) throws {
    let params = try params(#"{"screen": "s", "action": "a", "items": \#(items)}"#)
    let error = #expect(throws: RPCError.self) { try ScreenAct(params) }
    #expect(error?.message == message)
  }

  @Test("login")
  func login() throws {
    let login = try Login(try params(#"{"name": " ann ", "password": "hunter2"}"#))
    #expect(login.user == " ann ")
    #expect(login.password == Secret("hunter2"))
    #expect(!"\(login)".contains("hunter2"))
    #expect(try Login(try params(#"{"name": "ann", "password": null}"#)).password == nil)
  }

  @Test("register")
  func register() throws {
    let register = try Register(try params(#"{"username": "ann", "password": "hunter2"}"#))
    #expect(register.username == "ann")
    #expect(register.password == Secret("hunter2"))
    #expect(!"\(register)".contains("hunter2"))
  }

  @Test("loadTodos")
  func loadTodos() throws {
    #expect(try LoadTodos(try params("{}")).refresh == false)
    #expect(try LoadTodos(try params("{}")).progressToken == nil)
    let load = try LoadTodos(try params(#"{"refresh": true, "workDoneToken": "w"}"#))
    #expect(load.refresh)
    #expect(load.progressToken == .string("w"))
    #expect(try LoadTodos(try params(#"{"workDoneToken": 1}"#)).progressToken == .integer(1))
  }

  @Test("listTodos")
  func listTodos() throws {
    func query(_ text: String) throws -> TodoQuery? {
      guard case .operation(.list(.page(let query))) = try read("listTodos", text) else {
        return nil
      }
      return query
    }
    #expect(try query("{}") == TodoQuery())
    #expect(try query("{}")?.limit == 1_000)
    let list = try query(
      #"{"query": "mi", "done": false, "offset": 3, "limit": 0, "fields": ["title", "title"]}"#)
    #expect(
      list == TodoQuery(text: "mi", isDone: false, offset: 3, limit: 0, fields: [.content(.title)]))
    #expect(list?.includesNotes == false)
    let sorts = try ["order", "title", "-created", "updated", "-done"].map { word in
      try query(#"{"sort": "\#(word)"}"#)?.sort
    }
    #expect(
      sorts == [
        TodoSort(), TodoSort(.title), TodoSort(.created, isDescending: true), TodoSort(.updated),
        TodoSort(.done, isDescending: true),
      ])
    #expect(try query(#"{"fields": ["note"]}"#)?.includesNotes == true)
    #expect(try query(#"{"limit": 9223372036854775807}"#)?.limit == .max)
  }

  @Test("getTodo, addTodo, removeTodo")
  func others() throws {
    #expect(try GetTodo(try params(#"{"id": ""}"#)).id == TodoID(""))
    let short = try AddTodo(try params(#"{"title": " t "}"#))
    #expect(short.changes.values == TodoContent(title: " t "))
    #expect(try AddTodo(try params(#"{"title": "t", "note": "n"}"#)).changes.values.note == "n")
    let removal = try RemoveTodo(try params(#"{"id": "i", "version": 4}"#))
    #expect((removal.id, removal.version) == (TodoID("i"), 4))
    #expect(try RemoveTodo(try params(#"{"id": "i"}"#)).version == nil)
  }

  @Test("editTodo: absent members stay unchanged, and null removes an optional value")
  func editTodo() throws {
    let full = try EditTodo(
      try params(#"{"id": "i", "title": "t", "note": "", "done": true, "version": -1}"#))
    #expect(full.id == TodoID("i"))
    #expect(
      full.changes
        == FieldChanges(TodoContent(title: "t", isDone: true), fields: [.title, .note, .done]))
    #expect(full.version == -1)
    let empty = try EditTodo(try params(#"{"id": "i", "title": null}"#))
    #expect(empty.changes == FieldChanges())
    let removed = try EditTodo(try params(#"{"id": "i", "due": null, "labels": null}"#))
    #expect(removed.changes == FieldChanges(TodoContent(), fields: [.due, .labels]))
    let typed = try EditTodo(try params(#"{"id": "i", "due": "fri 17:30", "priority": "low"}"#))
    #expect(typed.changes.typed == [.due: "fri 17:30"])
    #expect(typed.changes[PriorityField.self] == .some(.low))
    #expect(empty.version == nil)
  }

  @Test("An outcome of another method is an error")
  func strangeOutcome() throws {
    let method = try #require(Methods.entry(named: GetTodo.name))
    var writer = JSONWriter()
    let context = ResponseContext(screens: [], revision: 1, isFrontOnly: false)
    method.write(1, .listOpened(source: "local"), context, &writer)
    let error = try JSON(parsing: writer.finish())["error"]
    #expect(error?["code"] == .integer(Int64(ErrorCode.internalError)))
    #expect(error?["message"] == "getTodo has ended as another method does")
  }

  @Test("A title keeps its bytes")
  func bytes() throws {
    let add = try AddTodo(try params(#"{"title": "e\u0301"}"#))
    #expect(Array(add.changes.values.title.utf8) == [0x65, 0xCC, 0x81])
  }
}
