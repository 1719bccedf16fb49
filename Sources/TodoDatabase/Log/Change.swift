import JSONRPC
import TodoModel

/// A change that will be added to the log. It concerns one todo, or one plain line (a line of a
/// document that is not part of a todo).
struct Change {
  var id: TodoID
  /// The id of the plain line that was moved; `nil` for a change of a todo.
  var line: Int64?
  /// The todo's version after the change.
  var version: Int64
  var kind: ChangeKind
  var before: ReverseDifference
  /// The size of a removed todo, in bytes. The todo stays stored as long as the log can restore it.
  var retainedBytes: Int64 = 0
}

extension Change {
  /// Creates a change from two states of a todo; `nil` if the user sees no difference.
  init?(from before: StoredTodo, to after: StoredTodo) {
    let (old, new) = (before.todo, after.todo)
    guard new.version != old.version || after.isRemoved != before.isRemoved else { return nil }
    let fields = new.content.fields(differingFrom: old.content)
    let isMoved = after.isRemoved != before.isRemoved
    (id, version) = (new.id, new.version)
    self.before = ReverseDifference(
      version: old.version, isRemoved: isMoved ? before.isRemoved : nil, fields: fields,
      content: old.content)
    if (old.sync == .conflict) != (new.sync == .conflict) {
      self.before.base = before.base ?? old.content
    }
    kind =
      switch (isMoved, after.isRemoved) {
      case (true, true): .remove
      case (true, false): .restore
      case (false, _): fields == [.done] ? .done : .edit
      }
    if kind == .remove { retainedBytes = old.content.byteCount }
  }

  /// Creates the change that adds a todo.
  init(adding todo: Todo) {
    (id, version, kind) = (todo.id, todo.version, .add)
    before = ReverseDifference(
      version: 0, isRemoved: true, fields: [], content: todo.content)
  }

  /// Creates the change that moves a todo.
  ///
  /// - Parameter above: The entry that was above the todo; `nil` if there was none.
  init(moving stored: StoredTodo, from above: EntryID?) {
    (id, version, kind) = (stored.todo.id, stored.todo.version, .move)
    before = ReverseDifference(
      version: version, fields: [], content: stored.todo.content, movedFrom: .some(above))
  }

  init(movingLine line: Int64) {
    (id, self.line, version, kind) = (TodoID(""), line, 0, .move)
    before = ReverseDifference(version: 0, fields: [], content: TodoContent())
  }

  /// Creates the change that deletes a todo from the store. Only the log has its content
  /// afterwards.
  init(deleting stored: StoredTodo) {
    let todo = stored.todo
    (id, version, kind) = (todo.id, todo.version, .remove)
    before = ReverseDifference(
      version: todo.version, isRemoved: false, fields: ContentField.allCases,
      content: todo.content)
  }
}

/// The difference from a todo to its state before a change: the earlier version, and the earlier
/// values of the changed fields.
struct ReverseDifference: Equatable {
  /// The earlier version; 0 if the todo did not exist.
  var version: Int64
  /// Whether the todo was removed, or not yet added, before the change; `nil` if the change neither
  /// added, removed nor restored the todo.
  var isRemoved: Bool?
  /// The fields that the change altered.
  var fields: [ContentField]
  /// The earlier values of the changed fields. Other fields are meaningless.
  var content: TodoContent
  /// For a move, the entry that was above the todo: `.some(nil)` if there was none. `nil` for other
  /// changes.
  var movedFrom: EntryID??
  /// For a change that began or ended a conflict with the source, the content of the source on
  /// which the todo was based before; `nil` for other changes.
  var base: TodoContent?

  /// Returns the content before the change, computed from the content after it.
  func applied(to content: TodoContent) -> TodoContent {
    var content = content
    content.copy(fields, from: self.content)
    return content
  }

  private static let (versionKey, removedKey, aboveKey) = ("version", "removed", "above")
  private static let baseKey = "base"

  /// The stored form: a JSON object with the version and the changed fields. The properties
  /// `isRemoved`, `movedFrom` and `base` are stored as the members `removed`, `above` and `base`. A
  /// property that is `nil` is left out.
  var text: String {
    var members: JSONObject = [Self.versionKey: .integer(version)]
    members[Self.removedKey] = isRemoved.map { .bool($0) }
    content.write(fields, to: &members)
    if let movedFrom { members[Self.aboveKey] = .string(movedFrom?.text ?? "") }
    if let base {
      var fields = JSONObject()
      base.write(ContentField.allCases, to: &fields)
      members[Self.baseKey] = .object(fields)
    }
    return JSON.object(members).compactText
  }
}

extension ReverseDifference {
  /// Parses the stored form. Fields that it does not contain were not changed.
  init(_ text: String) {
    let members = ContentText.members(of: text) ?? JSONObject()
    version = members[Self.versionKey]?.integerValue ?? 0
    isRemoved = members[Self.removedKey]?.boolValue
    movedFrom = members[Self.aboveKey]?.stringValue.map { EntryID($0) }
    base = members[Self.baseKey]?.objectValue.map { fields in
      var base = TodoContent()
      base.read(fields)
      return base
    }
    content = TodoContent()
    content.read(members)
    fields = ContentField.allCases.filter { members[$0.rawValue] != nil }
  }
}

extension TodoContent {
  var byteCount: Int64 {
    let labels = labels.texts.reduce(0) { $0 + $1.utf8.count }
    return Int64(title.utf8.count + note.utf8.count + labels)
  }
}
