import JSONRPC
import TodoModel

/// The conversion of a todo to and from a line of an export.
enum TodoLine {
  enum Member: String, CaseIterable {
    case id, order, version, createdAt, updatedAt, sync, failure, source, removed, base, theirs,
      sent
    case exported

    /// The members that version 1 of the format does not have.
    static let sinceSecond = [failure, sent, exported]
  }

  static func members(of stored: StoredTodo) -> JSONObject {
    let todo = stored.todo
    var json: JSONObject = [Member.id.rawValue: .string(todo.id.text)]
    for member in todo.content.exchangedFields().members { json[member.key] = member.value }
    func set(_ name: Member, _ value: JSON?) { json[name.rawValue] = value }
    set(.order, .integer(stored.place))
    set(.version, .integer(todo.version))
    set(.createdAt, .string(todo.createdAt.description))
    set(.updatedAt, .string(todo.updatedAt.description))
    set(.sync, .string(todo.sync.rawValue))
    set(.failure, todo.failure.map { .object(FailureMember.members(of: $0)) })
    set(.source, todo.origin.map { .object(OriginMember.members(of: $0, stored)) })
    if stored.isRemoved { set(.removed, true) }
    set(.base, stored.base.map { .object($0.exchangedFields()) })
    set(.theirs, stored.theirs.map { .object($0.exchangedFields()) })
    set(.sent, stored.sent.map { .object(SentMember.members(of: $0)) })
    set(.exported, stored.exported.map { .object(ExportedMember.members(of: $0)) })
    return json
  }

  /// Parses a todo from a line. Only `title` is required.
  ///
  /// - Parameter place: The place of a todo without an `order`.
  /// - Throws: `validation` with the reason.
  static func stored(
    _ json: JSONObject, in list: TodoListKey, place: Int64, _ version: ExchangeVersion,
    environment: Environment
  ) throws(TodoError) -> StoredTodo {
    var json = json
    if version == .first { for name in Member.sinceSecond { json[name.rawValue] = nil } }
    let members = try ExchangeMembers<Member>(json, in: version, hasFields: true)
    let origin = try members.object(.source).map { json throws(TodoError) in
      try OriginMember.read(json, version)
    }
    let now = environment.now()
    let initial: SyncState = origin != nil ? .synced : list.isLocal ? .local : .pending
    let todo = Todo(
      id: try members.id(.id) ?? environment.newID(),
      content: try content(json, isFromSource: origin != nil),
      version: try members.number(.version, 1...TodoColumns.integerMax) ?? 1,
      createdAt: try members.time(.createdAt) ?? now,
      updatedAt: try members.time(.updatedAt) ?? now, origin: origin?.origin,
      sync: try members.word(.sync, SyncState.self) ?? initial,
      failure: try members.object(.failure).map { json throws(TodoError) in
        try FailureMember.read(json, version)
      })
    let places = -TodoColumns.integerMax...TodoColumns.integerMax
    let place = try members.number(.order, places) ?? place
    let stored = StoredTodo(
      row: 0, todo: todo, place: place, sourceOrder: sourceOrder(of: origin, place, version),
      isRemoved: try members.flag(.removed) ?? false, key: origin?.origin.key,
      revision: origin?.revision,
      base: try members.content(.base), theirs: try members.content(.theirs),
      sent: try members.object(.sent).map { json throws(TodoError) in
        try SentMember.read(json, version)
      },
      exported: try members.object(.exported).map { json throws(TodoError) in
        try ExportedMember.read(json, version)
      })
    try check(stored, version)
    return stored
  }

  /// Returns the position of a todo's item at its source; `nil` for a todo without an item. Before
  /// version 3 of the format, the position is the `order` of the todo.
  private static func sourceOrder(
    of origin: OriginMember.Origin?, _ place: Int64, _ version: ExchangeVersion
  ) -> Int64? {
    guard let origin else { return nil }
    return version == .third ? origin.order : place >= 0 ? place : nil
  }

  /// Parses the fields of a todo. Content from a source may have values that a user cannot enter.
  private static func content(
    _ json: JSONObject, isFromSource: Bool
  ) throws(TodoError) -> TodoContent {
    var content = try TodoContent(exchangedFields: json)
    let given = isFromSource ? ContentField.localOnly : ContentField.allCases
    if let problem = content.normalizeImported(given) { throw .wrongLine(problem) }
    if let problem = content.remoteProblem { throw .wrongLine("This is a todo \(problem).") }
    return content
  }

  private static func check(
    _ stored: StoredTodo, _ version: ExchangeVersion
  ) throws(TodoError) {
    let sync = stored.todo.sync
    if stored.key == nil {
      // A todo whose item was deleted at the source is removed, and no longer has an item.
      let mayBeRemoved = version.hasEnd && stored.isRemoved
      guard sync != .conflict, sync != .synced || mayBeRemoved else {
        throw .wrongLine("A todo without a \"source\" is local, pending, failed or removed.")
      }
      guard version.hasEnd || !stored.isRemoved else {
        throw .wrongLine("A todo without a \"source\" is local or pending, and not removed.")
      }
    } else if sync != .synced, stored.base == nil {
      throw .wrongLine("A todo that was changed here needs its \"base\": what the source had.")
    }
    if stored.exported != nil, stored.key != nil || stored.isRemoved {
      throw .wrongLine("Only a todo that its source does not have yet can be \"exported\".")
    }
  }
}

extension ExchangeMembers {
  /// Returns an integer; `nil` if the member is absent or null.
  ///
  /// - Throws: `validation` if it is outside of the range.
  func number(_ name: Name, _ range: ClosedRange<Int64>) throws(TodoError) -> Int64? {
    guard let number = try integer(name) else { return nil }
    guard range.contains(number) else {
      throw .wrongLine(
        "\"\(name.rawValue)\" must be from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }
}

// MARK: Objects in the line

/// The members of the object `failure`, which says why the source refused the todo.
private enum FailureMember: String, CaseIterable {
  case kind, message

  static func members(of failure: SyncFailure) -> JSONObject {
    [
      kind.rawValue: .string(failure.kind.rawValue),
      message.rawValue: JSON(exchanged: failure.message),
    ]
  }

  static func read(
    _ json: JSONObject, _ version: ExchangeVersion
  ) throws(TodoError) -> SyncFailure {
    let members = try ExchangeMembers<Self>(json, in: version)
    return SyncFailure(
      kind: try members.require(.kind, members.word(.kind, ErrorKind.self)),
      message: try members.text(.message) ?? "")
  }
}

/// The members of the object `source`, which describes the todo's item at its source.
private enum OriginMember: String, CaseIterable {
  case url, number, key, order, revision, assignees, milestone, comments, due

  static let urlBytesMax = 8 << 10

  struct Origin {
    var origin: TodoOrigin
    var revision: String?
    /// The position of the item among the items of its source; `nil` if it is unknown.
    var order: Int64?
  }

  static func members(of origin: TodoOrigin, _ stored: StoredTodo) -> JSONObject {
    var json: JSONObject = [url.rawValue: .string(origin.url)]
    if let known = origin.number {
      json[number.rawValue] = .integer(known)
    } else {
      json[key.rawValue] = .string(origin.key)
    }
    json[order.rawValue] = stored.sourceOrder.map { .integer($0) }
    json[revision.rawValue] = stored.revision.map { .string($0) }
    for member in origin.details?.members.members ?? [] { json[member.key] = member.value }
    return json
  }

  static func read(
    _ json: JSONObject, _ version: ExchangeVersion
  ) throws(TodoError) -> Origin {
    let members = try ExchangeMembers<Self>(json, in: version)
    let name = version == .first ? nil : try members.id(.key)?.text
    guard let url = members[.url]?.stringValue,
      let key = name ?? members[.number]?.integerValue.map({ String($0) })
    else {
      throw .wrongLine(
        "\"source\" of a todo is an object with a \"url\" and a \"number\" or a \"key\".")
    }
    // A click on the link opens it, so it must be a web page.
    guard url.hasPrefix("https://") || url.hasPrefix("http://"), url.utf8.count <= urlBytesMax,
      url.unicodeScalars.allSatisfy({ $0.isPrintable && $0 != " " })
    else {
      throw .wrongLine(
        "The \"url\" of a \"source\" is an http or https URL of at most \(urlBytesMax) bytes.")
    }
    guard version != .first else { return Origin(origin: TodoOrigin(url: url, key: key)) }
    return Origin(
      origin: TodoOrigin(url: url, key: key, details: try details(members)),
      revision: try members.text(.revision),
      order: try members.number(.order, 0...RemoteItem.orderMax))
  }

  /// Parses the details of the item; `nil` if it has none.
  private static func details(
    _ members: ExchangeMembers<Self>
  ) throws(TodoError) -> SourceDetails? {
    let names = try members.texts(.assignees) ?? []
    let due = try members.text(.due).map { text throws(TodoError) in
      guard let due = DueDate(text) else {
        throw .wrongLine("\"due\" must be a date such as 2026-01-31 or 2026-01-31T08:15.")
      }
      return due
    }
    return SourceDetails(
      assignees: names, milestone: try members.text(.milestone),
      comments: try members.number(.comments, 0...Int64(SourceDetails.commentsMax)).map { Int($0) },
      due: due)
  }
}

/// The members of the object `sent`, which describes an unconfirmed write to the source.
private enum SentMember: String, CaseIterable {
  case what, until, marker, content

  static func members(of sent: UnconfirmedWrite) -> JSONObject {
    var json: JSONObject = [
      what.rawValue: .string(sent.kind.rawValue),
      until.rawValue: .string(sent.openUntil.description),
    ]
    json[marker.rawValue] = sent.marker.map { .string($0.text) }
    json[content.rawValue] = .object(sent.content.exchangedFields())
    return json
  }

  static func read(
    _ json: JSONObject, _ version: ExchangeVersion
  ) throws(TodoError) -> UnconfirmedWrite {
    let members = try ExchangeMembers<Self>(json, in: version)
    return UnconfirmedWrite(
      kind: try members.require(.what, members.word(.what, RemoteWrite.self)),
      content: try members.require(.content, members.content(.content)),
      openUntil: try members.require(.until, members.time(.until)),
      marker: try members.text(.marker).map { text throws(TodoError) in
        try ItemMarker(exchanged: text)
      })
  }
}

/// The members of the object `exported`, for a todo whose item may not exist at the source yet. All
/// stores that import the todo use its marker: they first search the source for an item with this
/// marker, and create one only if there is none.
private enum ExportedMember: String, CaseIterable {
  case marker, since, content

  static func members(of exported: ExportedAddition) -> JSONObject {
    [
      marker.rawValue: .string(exported.marker.text),
      since.rawValue: .string(exported.since.description),
      content.rawValue: .object(exported.content.exchangedFields()),
    ]
  }

  static func read(
    _ json: JSONObject, _ version: ExchangeVersion
  ) throws(TodoError) -> ExportedAddition {
    let members = try ExchangeMembers<Self>(json, in: version)
    return ExportedAddition(
      marker: try ItemMarker(exchanged: members.require(.marker, members.text(.marker))),
      content: try members.require(.content, members.content(.content)),
      since: try members.require(.since, members.time(.since)))
  }
}

extension ItemMarker {
  /// Checks and creates a marker. The marker must not contain `-->`, because the body of an issue
  /// contains the marker in an HTML comment.
  fileprivate init(exchanged text: String) throws(TodoError) {
    guard (1...Self.bytesMax).contains(text.utf8.count),
      text.unicodeScalars.allSatisfy(\.isPrintable), !text.contains("-->")
    else {
      throw .wrongLine(
        "A \"marker\" has 1 to \(Self.bytesMax) bytes, no control characters and no \"-->\".")
    }
    self.init(text)
  }
}
