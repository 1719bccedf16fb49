import JSONRPC
import TodoModel
import TodoProtocol

/// The requests of a front-end.
extension LoopServer {
  func todos() throws(TodoError) -> [Todo] {
    let answer = try call("listTodos", ["limit": 10_000])
    return (answer["todos"]?.arrayValue ?? []).map { Todo($0) }
  }

  func add(_ draft: NewTodo) throws(TodoError) -> Todo {
    var params = JSONObject()
    params.add(draft)
    return Todo(try call("addTodo", params)["todo"] ?? .null)
  }

  func edit(_ id: TodoID, _ edit: TodoEdit) throws(TodoError) -> Todo {
    var params: JSONObject = ["id": .string(id.text)]
    params.add(edit)
    if let version = edit.expectedVersion { params["version"] = .integer(version) }
    return Todo(try call("editTodo", params)["todo"] ?? .null)
  }

  func remove(_ id: TodoID, expectedVersion: Int64?) throws(TodoError) {
    var params: JSONObject = ["id": .string(id.text)]
    if let expectedVersion { params["version"] = .integer(expectedVersion) }
    _ = try call("removeTodo", params)
  }

  /// Undoes the last change, and returns the ID of its todo.
  @discardableResult
  func undo() throws(TodoError) -> TodoID { TodoID(try call("undo")["id"]?.stringValue ?? "") }
  func redo() throws(TodoError) { _ = try call("redo") }

  func conflicts() throws(TodoError) -> [SeenConflict] {
    let answer = try call("listConflicts", ["limit": 100])
    return (answer["conflicts"]?.arrayValue ?? []).map { conflict in
      SeenConflict(
        id: TodoID(conflict["id"]?.stringValue ?? ""),
        version: conflict["version"]?.integerValue ?? 0,
        base: TodoContent(conflict["base"] ?? .null),
        mine: TodoContent(conflict["mine"] ?? .null),
        theirs: TodoContent(conflict["theirs"] ?? .null))
    }
  }

  func resolve(
    _ id: TodoID, version: Int64, to resolution: Resolution
  ) throws(TodoError) -> Todo {
    var params: JSONObject = ["id": .string(id.text), "version": .integer(version)]
    switch resolution {
    case .keep(let side): params["keep"] = .string(side.rawValue)
    case .merged(let edit):
      params["keep"] = "merged"
      params.add(edit)
    }
    return Todo(try call("resolveConflict", params)["todo"] ?? .null)
  }

  // Errors of the network are ignored.

  func sync() { _ = try? call("syncTodos") }
  func load() { _ = try? call("loadTodos", ["refresh": true]) }
}

extension JSONObject {
  mutating func add(_ draft: NewTodo) {
    for field in ContentField.setOnAdd { self[field.rawValue] = JSON(draft.content[field]) }
  }

  mutating func add(_ edit: TodoEdit) {
    for field in ContentField.allCases where edit.changes.fields.contains(field) {
      self[field.rawValue] = JSON(edit.changes.values[field])
    }
  }
}

extension JSON {
  fileprivate init(_ value: FieldValue?) {
    switch value {
    case .text(let text): self = .string(text)
    case .flag(let flag): self = .bool(flag)
    case .texts(let texts): self = .array(texts.map { .string($0) })
    case nil: self = .null
    }
  }
}

extension TodoContent {
  init(_ json: JSON) {
    self.init(
      title: json["title"]?.stringValue ?? "", note: json["note"]?.stringValue ?? "",
      isDone: json["done"]?.boolValue ?? false,
      due: json["due"]?.stringValue.flatMap { DueDate($0) },
      labels: LabelSet((json["labels"]?.arrayValue ?? []).compactMap(\.stringValue)),
      priority: json["priority"]?.stringValue.flatMap { Priority(rawValue: $0) })
  }
}

extension Todo {
  init(_ json: JSON) {
    let source = json["source"]
    let failure = json["failure"]
    self.init(
      id: TodoID(json["id"]?.stringValue ?? ""), content: TodoContent(json),
      version: json["version"]?.integerValue ?? 0, createdAt: Timestamp(milliseconds: 0),
      updatedAt: Timestamp(milliseconds: 0),
      origin: source.flatMap { source in
        source["number"]?.integerValue.map {
          TodoOrigin(url: source["url"]?.stringValue ?? "", number: $0)
        }
      },
      sync: json["sync"]?.stringValue.flatMap { SyncState(rawValue: $0) } ?? .pending,
      failure: failure.flatMap { failure in
        failure["message"]?.stringValue.map { SyncFailure(kind: .server, message: $0) }
      })
  }
}
