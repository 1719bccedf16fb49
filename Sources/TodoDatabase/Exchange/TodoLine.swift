import JSONRPC
import TodoModel

/// A todo as a line of an export, and back.
enum TodoLine {
  static func members(of stored: StoredTodo) -> JSONObject {
    let todo = stored.todo
    var members: JSONObject = ["id": .string(todo.id.text)]
    members.setFields(of: todo.content)
    members["order"] = .integer(stored.place)
    members["version"] = .integer(todo.version)
    members["createdAt"] = .string(todo.createdAt.description)
    members["updatedAt"] = .string(todo.updatedAt.description)
    members["sync"] = .string(todo.sync.rawValue)
    if let origin = todo.origin {
      members["source"] =
        origin.number.map { ["url": .string(origin.url), "number": .integer($0)] }
        ?? ["url": .string(origin.url), "key": .string(origin.key)]
    }
    if stored.isRemoved { members["removed"] = true }
    members["base"] = stored.base.map(json)
    members["theirs"] = stored.theirs.map(json)
    return members
  }

  private static func json(_ content: TodoContent) -> JSON {
    var members = JSONObject()
    members.setFields(of: content)
    return .object(members)
  }

  /// Only `title` has to be there. Throws `validation` with what is wrong.
  ///
  /// - Parameter place: Where a todo without an `order` goes.
  static func stored(
    _ members: JSONObject, in list: TodoListKey, place: Int64, environment: Environment
  ) throws(TodoError) -> StoredTodo {
    let origin = try origin(members["source"])
    let now = environment.now()
    let sync = try sync(members) ?? (origin != nil ? .synced : list.isLocal ? .local : .pending)
    let id = try string("id", members)
    if let id,
      !(1...TodoID.bytesMax).contains(id.utf8.count)
        || !id.unicodeScalars.allSatisfy(\.isPrintable)
    {
      throw .wrongLine(
        "\"id\" must have 1 to \(TodoID.bytesMax) bytes, and no control characters.")
    }
    let version = try integer("version", members) ?? 1
    guard (1...TodoColumns.integerMax).contains(version) else {
      throw .wrongLine("\"version\" must be from 1 to \(TodoColumns.integerMax).")
    }
    let place = try integer("order", members) ?? place
    guard place.magnitude <= TodoColumns.integerMax.magnitude else {
      throw .wrongLine(
        "\"order\" must be from -\(TodoColumns.integerMax) to \(TodoColumns.integerMax).")
    }
    let todo = Todo(
      id: id.map { TodoID($0) } ?? environment.newID(),
      content: try content(members, isLocal: origin == nil), version: version,
      createdAt: try time("createdAt", members) ?? now,
      updatedAt: try time("updatedAt", members) ?? now, origin: origin, sync: sync)
    let stored = StoredTodo(
      row: 0, todo: todo, place: place, isRemoved: try flag("removed", members) ?? false,
      key: origin?.key, revision: nil,
      base: try side("base", members), theirs: try side("theirs", members), sent: nil)
    if origin == nil, stored.isRemoved || sync == .synced || sync == .conflict {
      throw .wrongLine("A todo without a \"source\" is local or pending, and not removed.")
    }
    if origin != nil, sync != .synced, stored.base == nil {
      throw .wrongLine("A todo that was changed here needs its \"base\": what the source had.")
    }
    return stored
  }

  private static let urlBytesMax = 8 << 10

  // MARK: Members

  private static func content(
    _ members: JSONObject, isLocal: Bool
  ) throws(TodoError) -> TodoContent {
    var content = TodoContent()
    for field in ContentField.allCases {
      if let value = try value(field.rawValue, field.kind, members) {
        guard content.set(field, to: value) else {
          throw .wrongLine("\"\(field.rawValue)\" is not valid. \(field.expected)")
        }
      } else if field.traits.isRequired {
        throw .wrongLine("A todo needs a \"\(field.rawValue)\".")
      }
    }
    // What a source delivered is kept as it is.
    let given = isLocal ? ContentField.allCases : ContentField.localOnly
    if let problem = content.normalizeImported(given) { throw .wrongLine(problem) }
    if let problem = content.deliveryProblem { throw .wrongLine("This is a todo \(problem).") }
    return content
  }

  private static func value(
    _ name: String, _ kind: FieldKind, _ members: JSONObject
  ) throws(TodoError) -> FieldValue? {
    switch kind {
    case .text: try string(name, members).map { .text($0) }
    case .flag: try flag(name, members).map { .flag($0) }
    case .texts: try texts(name, members).map { .texts($0) }
    case .optional(let kind): try value(name, kind, members)
    }
  }

  private static func side(
    _ name: String, _ members: JSONObject
  ) throws(TodoError) -> TodoContent? {
    guard let value = members[name], !value.isNull else { return nil }
    guard let object = value.objectValue else { throw .wrongLine("\"\(name)\" must be an object.") }
    return try content(object, isLocal: false)
  }

  private static func origin(_ value: JSON?) throws(TodoError) -> TodoOrigin? {
    guard let value, !value.isNull else { return nil }
    let key = value["number"]?.integerValue.map { String($0) } ?? value["key"]?.stringValue
    guard let url = value["url"]?.stringValue, let key, !key.isEmpty,
      key.utf8.count <= urlBytesMax
    else {
      throw .wrongLine(
        "\"source\" of a todo is an object with a \"url\" and a \"number\" or a \"key\".")
    }
    // It is opened with a click: nothing but a page is.
    guard url.hasPrefix("https://") || url.hasPrefix("http://"), url.utf8.count <= urlBytesMax,
      url.unicodeScalars.allSatisfy({ $0.isPrintable && $0 != " " })
    else {
      throw .wrongLine(
        "The \"url\" of a \"source\" is an http or https URL of at most \(urlBytesMax) bytes.")
    }
    return TodoOrigin(url: url, key: key)
  }

  private static func sync(_ members: JSONObject) throws(TodoError) -> SyncState? {
    guard let text = try string("sync", members) else { return nil }
    guard let sync = SyncState(rawValue: text) else {
      let known = SyncState.allCases.map(\.rawValue).joined(separator: ", ")
      throw .wrongLine("\"sync\" must be one of \(known).")
    }
    return sync
  }

  private static func time(
    _ name: String, _ members: JSONObject
  ) throws(TodoError) -> Timestamp? {
    guard let text = try string(name, members) else { return nil }
    guard let time = Timestamp(rfc3339: text) else {
      throw .wrongLine("\"\(name)\" must be a time such as 2026-01-31T08:15:00.000Z.")
    }
    return time
  }

  private static func string(_ name: String, _ members: JSONObject) throws(TodoError) -> String? {
    try member(name, members, "a string", \.stringValue)
  }

  private static func integer(_ name: String, _ members: JSONObject) throws(TodoError) -> Int64? {
    try member(name, members, "a whole number", \.integerValue)
  }

  private static func texts(_ name: String, _ members: JSONObject) throws(TodoError) -> [String]? {
    try member(name, members, "an array of strings") { value in
      guard let array = value.arrayValue else { return nil }
      let texts = array.compactMap(\.stringValue)
      return texts.count == array.count ? texts : nil
    }
  }

  private static func flag(_ name: String, _ members: JSONObject) throws(TodoError) -> Bool? {
    try member(name, members, "true or false", \.boolValue)
  }

  /// Nil when it is absent or null.
  private static func member<Value>(
    _ name: String, _ members: JSONObject, _ expected: String, _ read: (JSON) -> Value?
  ) throws(TodoError) -> Value? {
    guard let value = members[name], !value.isNull else { return nil }
    guard let read = read(value) else {
      throw .wrongLine("\"\(name)\" must be \(expected), not \(article(value)).")
    }
    return read
  }

  private static func article(_ value: JSON) -> String {
    let kind = value.kindName
    return (kind == "array" || kind == "object" ? "an " : "a ") + kind
  }
}
