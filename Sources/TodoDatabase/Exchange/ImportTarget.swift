import JSONRPC
import SQLiteDatabase
import TodoModel

/// The state of an import: the list and the document to which the next lines belong.
struct ImportTarget {
  let profile: String?
  let environment: Environment
  private let tables: TodoTables
  private let staging: ImportStaging
  var lineNumber = 1
  private(set) var report = ImportReport()
  /// The version of the export; `nil` before the header was read.
  private var version: ExchangeVersion?
  private var list: (key: TodoListKey, number: Int64)?
  private var document: ImportedDocument?
  private var lines: ImportedLines?
  private let connection: Connection
  /// The number of todos that the line of the list announces, and the line number of that line.
  private var announced: (count: Int64, line: Int)?
  private var todoCount: Int64 = 0
  /// The place of the next todo without an `order`.
  private var nextPlace: Int64 = 0
  /// The number of lines so far that are not empty.
  private var contentLineCount: Int64 = 0
  private var hasEnded = false

  init(
    profile: String?, environment: Environment, over connection: Connection
  ) throws(TodoError) {
    self.profile = profile
    self.environment = environment
    self.connection = connection
    tables = connection.tables
    staging = try ImportStaging(over: connection)
  }

  /// Imports a line.
  mutating func add(_ json: JSONObject) throws(TodoError) {
    guard let version else {
      version = try ExchangeHeader.version(json)
      contentLineCount = 1
      return
    }
    guard !hasEnded else { throw .wrongLine("There is a line below the end of the export.") }
    if let (section, value) = Self.section(of: json, in: version) {
      try add(section, value, json, version)
    } else {
      try addTodo(json, version)
    }
    contentLineCount += 1
  }

  /// Returns the kind of a line, and the value of the member that is named after the kind; `nil`
  /// for the line of a todo.
  private static func section(
    of json: JSONObject, in version: ExchangeVersion
  ) -> (ExchangeSection, JSON)? {
    // In version 1, the line of a list has other members besides `list`.
    guard version.hasEnd else { return json["list"].map { (.list, $0) } }
    guard json.count == 1, let member = json.members.first,
      let section = ExchangeSection(rawValue: member.key)
    else { return nil }
    return (section, member.value)
  }

  private mutating func add(
    _ section: ExchangeSection, _ value: JSON, _ line: JSONObject, _ version: ExchangeVersion
  ) throws(TodoError) {
    if section == .list { return try begin(ExchangeList(value, line: line, in: version)) }
    guard let members = value.objectValue else {
      throw .wrongLine("\"\(section.rawValue)\" must be an object.")
    }
    if section == .end { return try end(members, version) }
    let list = try currentList()
    try staging.empty()
    switch section {
    case .list, .end: break
    case .change: try add(ExportedChange(members, in: version), to: list.number)
    case .draft: try add(ExportedDraft(members, in: version), to: list)
    case .mark:
      let mark = try ExportedMark(members, in: version)
      // A mark that the store has already assigned to another todo stays with that todo.
      _ = try tables.marks.add(
        mark.mark, of: mark.id, in: list.number, reservedAt: mark.reservedAt)
    case .document, .generation, .line, .text, .span, .saved, .side:
      guard let part = try DocumentLine(section, members, in: version) else { return }
      try add(part, to: list.number, version)
    }
  }

  // MARK: Lists

  private mutating func begin(_ next: ExchangeList) throws(TodoError) {
    try checkCount()
    // The next place in the list depends on the todos that are in the permanent table.
    try staging.empty()
    let key = TodoListKey(profile: profile ?? next.key.profile, source: next.key.source)
    let number = try tables.lists.number(of: key)
    list = (key, number)
    (document, lines) = (nil, nil)
    announced = next.count.map { ($0, lineNumber) }
    todoCount = 0
    nextPlace = try tables.exchange.placeBelow(in: number)
  }

  /// Returns the todo list to which the next lines belong: the local list of `profile` if no line
  /// has named a list.
  private mutating func currentList() throws(TodoError) -> (key: TodoListKey, number: Int64) {
    if let list { return list }
    guard let profile else {
      throw .wrongLine("A line with a \"list\" has to come first, or name one with --name.")
    }
    try begin(ExchangeList(key: TodoListKey(profile: profile, source: "")))
    guard let list else { throw .wrongLine("A line with a \"list\" has to come first.") }
    return list
  }

  // MARK: Todos

  private mutating func addTodo(
    _ json: JSONObject, _ version: ExchangeVersion
  ) throws(TodoError) {
    let list = try currentList()
    var stored = try TodoLine.stored(
      json, in: list.key, place: nextPlace, version, environment: environment)
    todoCount += 1
    nextPlace = max(nextPlace, min(stored.place, TodoColumns.integerMax - 1) + 1)
    if let old = try tables.todos.stored(stored.todo.id, in: list.number) {
      if version == .first { stored.todo.failure = old.todo.failure }
      try skip(stored, known: old)
      report.knownCount += 1
      return
    }
    if let key = stored.key, try tables.todos.stored(key: key, in: list.number) != nil {
      throw .wrongLine(
        "Issue \(key) is in this list already, under another id. Remove the line.")
    }
    guard try staging.add(stored, to: list.number) else {
      throw .wrongLine("Another line has the same id or the same issue. Remove one of them.")
    }
    report.addedCount += 1
  }

  /// Skips a todo that is already in the list.
  ///
  /// - Throws: `validation` if the list has a different todo with the same id.
  private func skip(_ new: StoredTodo, known old: StoredTodo) throws(TodoError) {
    guard old.isSame(as: new) else {
      let id = "The id \"\(new.todo.id)\" is taken"
      throw .wrongLine(
        old.isRemoved && !new.isRemoved
          ? "\(id): that todo was removed from this list, and can be brought back with undo. "
            + "Do that, or import under another --name."
          : "\(id): the list has a todo of that id with another content. "
            + "Remove the line, or import under another --name.")
    }
    // With the same marker, the two stores do not create two items.
    if old.exported == nil, let exported = new.exported {
      try tables.todos.save(exported, of: old.row)
    }
  }

  // MARK: Changes, drafts and documents

  private func add(_ exported: ExportedChange, to list: Int64) throws(TodoError) {
    var exported = exported
    if exported.change.kind == .remove,
      let stored = try tables.todos.stored(exported.change.id, in: list), stored.isRemoved
    {
      exported.change.retainedBytes = stored.todo.content.byteCount
    }
    try tables.exchange.add(exported, to: list)
  }

  private mutating func add(
    _ draft: ExportedDraft, to list: (key: TodoListKey, number: Int64)
  ) throws(TodoError) {
    let known = try tables.drafts.drafts(of: draft.id, in: list.number, list.key)
    guard !known.contains(where: { ExportedDraft($0) == draft }) else { return }
    try tables.drafts.add(draft.draft(in: list.key), draft.text, in: list.number)
    report.draftCount += 1
  }

  private mutating func add(
    _ part: DocumentLine, to list: Int64, _ version: ExchangeVersion
  ) throws(TodoError) {
    if case .document(let path, let generation) = part {
      document = try ImportedDocument(path, generation, in: list, tables)
      if version.hasLinesOfDocuments { lines = nil }
      return
    }
    if lines == nil { lines = try ImportedLines(of: list, tables, over: connection) }
    guard var lines else { return }
    let isNew: Bool
    if case .text(let line) = part, document != nil || !version.hasLinesOfDocuments {
      isNew = try lines.add(line)
    } else if let document {
      isNew = try document.add(part, tables) { number throws(TodoError) in try lines.id(number) }
    } else {
      throw .wrongLine("A line with a \"document\" has to come first.")
    }
    self.lines = lines
    guard isNew else { return }
    report.textCount += 1
    // Makes the front-ends that show the document read it again.
    try tables.lists.recordEdit(in: list)
  }

  // MARK: The end

  private mutating func end(_ json: JSONObject, _ version: ExchangeVersion) throws(TodoError) {
    enum Member: String, CaseIterable { case lines }
    let members = try ExchangeMembers<Member>(json, in: version)
    let count = try members.require(.lines, members.integer(.lines))
    guard count == contentLineCount else {
      throw .wrongLine(
        "The end announces \(count) lines above it, and there are \(contentLineCount): "
          + "the file is not whole.")
    }
    hasEnded = true
  }

  mutating func finish() throws(TodoError) {
    guard let version else { throw .wrongLine("The input is empty: no export begins like this.") }
    guard hasEnded || !version.hasEnd else {
      throw .wrongLine("The file is not whole: its last line must be {\"end\":{\"lines\":N}}.")
    }
    try checkCount()
    try staging.empty()
  }

  /// Detects a truncated file of version 1: throws `validation` if the number of todos is not the
  /// announced one.
  private func checkCount() throws(TodoError) {
    guard let announced, announced.count != todoCount else { return }
    throw .wrongLine(
      "Line \(announced.line) announces \(announced.count) todos, and \(todoCount) came: "
        + "the file is not whole.")
  }
}

extension StoredTodo {
  /// Whether both todos have the same values, versions and sides of a conflict. Places are not
  /// compared, because they differ between lists.
  fileprivate func isSame(as other: StoredTodo) -> Bool {
    todo == other.todo && isRemoved == other.isRemoved && base == other.base
      && theirs == other.theirs
  }
}
