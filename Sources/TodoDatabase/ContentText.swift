import JSONRPC
import TodoModel

/// The encoding of a todo's content as JSON text in a single column. The tables that store content
/// in this form need no migration for a new field.
enum ContentText {
  static func text(of content: TodoContent) -> String {
    var members = JSONObject()
    content.write(ContentField.allCases.filter { content[$0] != nil }, to: &members)
    return JSON.object(members).compactText
  }

  /// Parses the JSON text of a todo's content. Fields that the text does not contain are empty.
  static func content(of text: String) -> TodoContent {
    var content = TodoContent()
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
  /// Writes fields as members with the names of the fields; `null` for a field without a value.
  func write(_ fields: [ContentField], to members: inout JSONObject) {
    for field in fields { members[field.rawValue] = self[field].map { JSON(stored: $0) } ?? .null }
  }

  /// Sets the fields that a JSON object contains. Other fields stay unchanged.
  mutating func read(_ members: JSONObject) {
    for field in ContentField.allCases {
      guard let member = members[field.rawValue] else { continue }
      set(field, to: FieldValue(stored: member, as: field.kind))
    }
  }
}

extension JSON {
  /// Encodes a field value. A text with U+0000 characters, which a source may return, becomes an
  /// array of the parts between these characters. In a string, the JSON writer would replace the
  /// U+0000 characters.
  fileprivate init(stored value: FieldValue) {
    switch value {
    case .text(let text) where text.hasNull:
      let parts = text.utf8.split(separator: 0, omittingEmptySubsequences: false)
      self = .array(parts.map { .string(String(decoding: Array($0), as: UTF8.self)) })
    case .text, .flag, .texts: self.init(value)
    }
  }
}

extension FieldValue {
  /// Decodes a field value; `nil` for JSON that is not a value of any field.
  fileprivate init?(stored json: JSON, as kind: FieldKind) {
    switch (json, kind) {
    case (.string(let text), _): self = .text(text)
    case (.array(let texts), .texts): self = .texts(texts.compactMap(\.stringValue))
    case (.array(let parts), .text), (.array(let parts), .flag):
      self = .text(parts.compactMap(\.stringValue).joined(separator: "\0"))
    case (.bool(let flag), _): self = .flag(flag)
    case (.null, _), (.integer, _), (.double, _), (.object, _): return nil
    }
  }
}
