import JSONRPC
import TodoModel

/// Contents of todos as JSON text, which one column of a table holds: a new field needs no migration
/// of the tables that store contents.
enum ContentText {
  static func text(of content: TodoContent) -> String {
    var members = JSONObject()
    content.write(ContentField.allCases, to: &members)
    return JSON.object(members).compactText
  }

  /// Returns the content of a text. A field that the text does not have is empty.
  static func content(of text: String) -> TodoContent {
    var content = TodoContent(title: "", note: "", isDone: false)
    if let members = members(of: text) { content.read(members) }
    return content
  }

  /// Returns the members of a JSON object; `nil` for any other text.
  static func members(of text: String) -> JSONObject? {
    var text = text
    return text.withUTF8 { try? JSON(parsing: $0) }?.objectValue
  }
}

extension TodoContent {
  /// Adds some fields to a JSON object, each under its name.
  func write(_ fields: [ContentField], to members: inout JSONObject) {
    var (content, writer) = (self, FieldWriter(members: members))
    for field in fields { content.code(field, with: &writer) }
    members = writer.members
  }

  /// Replaces the fields that a JSON object has.
  mutating func read(_ members: JSONObject) {
    var reader = FieldReader(members: members)
    for field in ContentField.allCases { code(field, with: &reader) }
  }

  /// The one place that knows which property a field is.
  private mutating func code(_ field: ContentField, with coder: inout some FieldCoder) {
    switch field {
    case .title: coder.code(&title, field)
    case .note: coder.code(&note, field)
    case .done: coder.code(&isDone, field)
    }
  }
}

/// Reads or writes one field of a content.
private protocol FieldCoder {
  mutating func code(_ value: inout some StoredValue, _ field: ContentField)
}

private struct FieldWriter: FieldCoder {
  var members: JSONObject

  mutating func code(_ value: inout some StoredValue, _ field: ContentField) {
    members[field.rawValue] = value.json
  }
}

private struct FieldReader: FieldCoder {
  let members: JSONObject

  mutating func code<Value: StoredValue>(_ value: inout Value, _ field: ContentField) {
    if let stored = members[field.rawValue].flatMap({ Value($0) }) { value = stored }
  }
}

/// The value of a field in a JSON text.
private protocol StoredValue {
  var json: JSON { get }
  init?(_ json: JSON)
}

extension Bool: StoredValue {
  fileprivate var json: JSON { .bool(self) }

  fileprivate init?(_ json: JSON) {
    guard let value = json.boolValue else { return nil }
    self = value
  }
}

extension String: StoredValue {
  /// A source may deliver U+0000, which no JSON string has: such a text is an array of its parts.
  fileprivate var json: JSON {
    guard utf8.contains(0) else { return .string(self) }
    let parts = utf8.split(separator: 0, omittingEmptySubsequences: false)
    return .array(parts.map { .string(String(decoding: Array($0), as: UTF8.self)) })
  }

  fileprivate init?(_ json: JSON) {
    switch json {
    case .string(let text): self = text
    case .array(let parts): self = parts.compactMap(\.stringValue).joined(separator: "\0")
    case .null, .bool, .integer, .double, .object: return nil
    }
  }
}
