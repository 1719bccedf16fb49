import JSONRPC
import TodoModel

/// A change in the log, as an export contains it: without the data for undo and redo.
struct ExportedChange {
  var change: Change
  var at: Timestamp
  var author: ChangeAuthor

  private enum Member: String, CaseIterable {
    case id, version, at, who, what, before
  }

  /// The members of the object `before` (the state before the change), besides the fields of a
  /// todo.
  private enum BeforeMember: String, CaseIterable {
    case version, removed
  }

  var members: JSONObject {
    // The former neighbor and base are only needed for undo.
    var before = change.before
    (before.movedFrom, before.base) = (nil, nil)
    return [
      Member.id.rawValue: .string(change.id.text),
      Member.version.rawValue: .integer(change.version),
      Member.at.rawValue: .string(at.description),
      Member.who.rawValue: .string(author.rawValue),
      Member.what.rawValue: .string(change.kind.rawValue),
      Member.before.rawValue: .object(ContentText.members(of: before.text) ?? [:]),
    ]
  }

  init(_ change: Change, at: Timestamp, _ author: ChangeAuthor) {
    (self.change, self.at, self.author) = (change, at, author)
  }

  init(_ json: JSONObject, in version: ExchangeVersion) throws(TodoError) {
    let members = try ExchangeMembers<Member>(json, in: version)
    let before = try members.require(.before, members.object(.before))
    let difference = try ExchangeMembers<BeforeMember>(before, in: version, hasFields: true)
    let versions = 0...TodoColumns.integerMax
    _ = try difference.require(.version, difference.number(.version, versions))
    _ = try difference.flag(.removed)
    change = Change(
      id: try members.require(.id, members.id(.id)),
      version: try members.require(.version, members.number(.version, versions)),
      kind: try members.require(.what, members.word(.what, ChangeKind.self)),
      before: ReverseDifference(JSON.object(before).compactText))
    at = try members.require(.at, members.time(.at))
    author = try members.require(.who, members.word(.who, ChangeAuthor.self))
    if let problem = change.before.content.remoteProblem {
      throw .wrongLine("This is a todo \(problem).")
    }
  }
}

/// A draft of an ended process, as an export contains it.
struct ExportedDraft: Equatable {
  var id: TodoID
  var version: Int64
  var text: DraftRecord.Text

  private enum Member: String, CaseIterable {
    case id, version, typedAt, title, edit
  }

  private enum EditMember: String, CaseIterable {
    case fields, merged, mine, mineVersion
  }

  var members: JSONObject {
    [
      Member.id.rawValue: .string(id.text), Member.version.rawValue: .integer(version),
      Member.typedAt.rawValue: .string(text.typedAt.description),
      Member.title.rawValue: JSON(exchanged: text.title), Member.edit.rawValue: text.edit.json,
    ]
  }

  init(_ stored: StoredDraft) {
    id = stored.draft.base.id
    version = stored.draft.base.version
    text = DraftRecord.Text(
      edit: stored.draft.edit, typedAt: stored.typedAt, title: stored.title)
  }

  init(_ json: JSONObject, in version: ExchangeVersion) throws(TodoError) {
    let members = try ExchangeMembers<Member>(json, in: version)
    let edit = try members.require(.edit, members.object(.edit))
    let fields = try ExchangeMembers<EditMember>(edit, in: version)
    for member in [EditMember.fields, .mine] {
      guard let changed = try fields.object(member) else { continue }
      _ = try ExchangeMembers<NoMember>(changed, in: version, hasFields: true)
    }
    _ = try fields.number(.mineVersion, 0...TodoColumns.integerMax)
    guard let edit = Draft.Edit(.object(edit)) else {
      throw .wrongLine("An \"edit\" has \"fields\" or a text \"merged\".")
    }
    guard JSON.object(json).compactText.utf8.count <= DraftLimits.draftBytesMax else {
      throw .wrongLine("A draft has at most \(DraftLimits.draftBytesMax) bytes.")
    }
    id = try members.require(.id, members.id(.id))
    self.version = try members.require(
      .version, members.number(.version, 0...TodoColumns.integerMax))
    text = DraftRecord.Text(
      edit: edit, typedAt: try members.require(.typedAt, members.time(.typedAt)),
      title: try members.require(.title, members.text(.title)))
  }

  func draft(in list: TodoListKey) -> Draft {
    Draft(base: EditBase(list: list, id: id, version: version), edit: text.edit)
  }
}
