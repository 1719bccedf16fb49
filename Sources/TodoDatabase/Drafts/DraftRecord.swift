import JSONRPC
import TodoModel

/// A record of a draft file. It contains the newest draft of a todo, or cancels the todo's draft.
struct DraftRecord: Sendable, Equatable {
  var base: EditBase
  /// The draft; `nil` if the user has saved or discarded it.
  var text: Text?

  struct Text: Sendable, Equatable {
    var edit: Draft.Edit
    var typedAt: Timestamp
    var title: String
  }

  init(_ text: UnsavedText, at time: Timestamp) {
    self.init(
      base: text.draft.base,
      text: Text(edit: text.draft.edit, typedAt: time, title: text.title))
  }

  init(base: EditBase, text: Text? = nil) { (self.base, self.text) = (base, text) }

  /// Whether two records have the same base and the same edit, whatever their times and titles.
  func hasSameText(as other: DraftRecord) -> Bool {
    base == other.base && text?.edit == other.text?.edit
  }

  func concernsSameTodo(as other: DraftRecord) -> Bool {
    base.isForSameTodo(as: other.base)
  }
}

// MARK: Text

extension DraftRecord {
  /// The record as JSON text.
  var json: String {
    var members: JSONObject = ["base": .string(base.text)]
    if let text {
      members["typedAt"] = .integer(text.typedAt.milliseconds)
      members["title"] = .string(text.title)
      members["edit"] = text.edit.json
    }
    return JSON.object(members).compactText
  }

  /// Parses the JSON text of a record; `nil` if the text is not a record.
  init?(json bytes: some Collection<UInt8>) {
    guard let members = (try? JSON(parsing: Array(bytes)))?.objectValue,
      let base = members["base"]?.stringValue.flatMap({ EditBase($0) })
    else { return nil }
    self.base = base
    guard let edit = members["edit"] else { return }
    guard let edit = Draft.Edit(edit), let typedAt = members["typedAt"]?.integerValue,
      let title = members["title"]?.stringValue
    else { return nil }
    text = Text(edit: edit, typedAt: Timestamp(milliseconds: typedAt), title: title)
  }
}

extension Draft.Edit {
  var json: JSON {
    switch self {
    case .fields(let changes): return ["fields": Self.json(changes)]
    case .merged(let text, let mine):
      var members: JSONObject = ["merged": .string(text)]
      if let mine {
        members["mine"] = Self.json(mine.changes)
        members["mineVersion"] = .integer(mine.version)
      }
      return .object(members)
    }
  }

  private static func json(_ changes: FieldChanges) -> JSON {
    var fields = JSONObject()
    changes.values.write(
      ContentField.allCases.filter { changes.fields.contains($0) }, to: &fields)
    for (field, text) in changes.typed { fields[field.rawValue] = .string(text) }
    return .object(fields)
  }

  /// Parses an edit; `nil` if the JSON is not an edit.
  init?(_ json: JSON) {
    if let text = json["merged"]?.stringValue {
      let mine = json["mine"]?.objectValue.map { members in
        Draft.ConflictingEdit(
          changes: Self.changes(members), version: json["mineVersion"]?.integerValue ?? 0)
      }
      self = .merged(text, mine: mine)
    } else if let members = json["fields"]?.objectValue {
      self = .fields(Self.changes(members))
    } else {
      return nil
    }
  }

  private static func changes(_ members: JSONObject) -> FieldChanges {
    var content = TodoContent()
    content.read(members)
    let fields = ContentField.allCases.filter { members[$0.rawValue] != nil }
    var changes = FieldChanges(content, fields: ContentFieldSet(fields))
    for field in fields {
      if let text = members[field.rawValue]?.stringValue { changes.set(field, to: .text(text)) }
    }
    return changes
  }
}
