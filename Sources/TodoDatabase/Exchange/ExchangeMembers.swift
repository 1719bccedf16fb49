import JSONRPC
import TodoModel

/// The members of an object in an export, accessed by the names that the format defines. The
/// methods return `nil` for a member that is absent or null, and throw `validation` for a value of
/// the wrong kind.
struct ExchangeMembers<Name: RawRepresentable & CaseIterable> where Name.RawValue == String {
  let json: JSONObject
  let version: ExchangeVersion

  /// Checks the names of the members.
  ///
  /// - Parameter hasFields: Whether the object may have the fields of a todo as members.
  /// - Throws: `validation` for a member that the format does not define. Version 1 ignores such
  ///   members.
  init(
    _ json: JSONObject, in version: ExchangeVersion, hasFields: Bool = false
  ) throws(TodoError) {
    (self.json, self.version) = (json, version)
    guard version.isStrict else { return }
    for key in json.keys where Name(rawValue: key) == nil {
      guard hasFields, ContentField(rawValue: key) != nil else {
        throw .wrongLine(
          "\"\(key)\" is not a member that this version of todo-server knows here. "
            + "Remove it, or update todo-server.")
      }
    }
  }

  /// The value of a member; `nil` if the member is absent or null.
  subscript(_ name: Name) -> JSON? {
    guard let value = json[name.rawValue], !value.isNull else { return nil }
    return value
  }

  func text(_ name: Name) throws(TodoError) -> String? {
    try value(name, "a string", \.exchangedText)
  }

  func texts(_ name: Name) throws(TodoError) -> [String]? {
    try value(name, "an array of strings") { json in
      let texts = json.arrayValue?.compactMap(\.stringValue)
      return texts?.count == json.arrayValue?.count ? texts : nil
    }
  }

  func integer(_ name: Name) throws(TodoError) -> Int64? {
    try value(name, "a whole number", \.integerValue)
  }

  func flag(_ name: Name) throws(TodoError) -> Bool? {
    try value(name, "true or false", \.boolValue)
  }

  func object(_ name: Name) throws(TodoError) -> JSONObject? {
    try value(name, "an object", \.objectValue)
  }

  /// Returns an integer that is written as a string, because it may be too large for some JSON
  /// parsers.
  func digits(_ name: Name) throws(TodoError) -> Int64? {
    try value(name, "a string of digits") { $0.stringValue.flatMap { Int64($0) } }
  }

  func time(_ name: Name) throws(TodoError) -> Timestamp? {
    guard let text = try text(name) else { return nil }
    guard let time = Timestamp(rfc3339: text) else {
      throw .wrongLine("\"\(name.rawValue)\" must be a time such as 2026-01-31T08:15:00.000Z.")
    }
    return time
  }

  /// Returns the enumeration value that a member names.
  func word<Word: RawRepresentable & CaseIterable>(
    _ name: Name, _ type: Word.Type
  ) throws(TodoError) -> Word? where Word.RawValue == String {
    guard let text = try text(name) else { return nil }
    guard let word = Word(rawValue: text) else {
      let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw .wrongLine("\"\(name.rawValue)\" must be one of \(known).")
    }
    return word
  }

  /// Returns the id of a todo.
  func id(_ name: Name) throws(TodoError) -> TodoID? {
    guard let id = try text(name) else { return nil }
    guard (1...TodoID.bytesMax).contains(id.utf8.count),
      id.unicodeScalars.allSatisfy(\.isPrintable)
    else {
      throw .wrongLine(
        "\"\(name.rawValue)\" must have 1 to \(TodoID.bytesMax) bytes, and no control characters.")
    }
    return TodoID(id)
  }

  /// Returns the content of a todo.
  ///
  /// - Throws: `validation` for content that exceeds the limits on content from a source. These
  ///   limits are wider than the limits for users.
  func content(_ name: Name) throws(TodoError) -> TodoContent? {
    try object(name).map { json throws(TodoError) in try TodoContent(exchanged: json, version) }
  }

  /// Returns `value`, which was read from the member `name`.
  ///
  /// - Throws: `validation` if `value` is `nil`, because the member is missing.
  func require<Value>(_ name: Name, _ value: Value?) throws(TodoError) -> Value {
    guard let value else { throw .wrongLine("\"\(name.rawValue)\" is missing.") }
    return value
  }

  private func value<Value>(
    _ name: Name, _ expected: String, _ read: (JSON) -> Value?
  ) throws(TodoError) -> Value? {
    guard let json = self[name] else { return nil }
    guard let value = read(json) else {
      throw .wrongLine("\"\(name.rawValue)\" must be \(expected), not \(json.exchangeKind).")
    }
    return value
  }
}

/// The member names of an object that contains only the fields of a todo. The case is a
/// placeholder, because the names of fields are allowed separately (`hasFields`).
enum NoMember: String, CaseIterable {
  case none = ""
}

// MARK: Fields

extension TodoContent {
  /// Parses an object that contains only the fields of a todo.
  init(exchanged json: JSONObject, _ version: ExchangeVersion) throws(TodoError) {
    _ = try ExchangeMembers<NoMember>(json, in: version, hasFields: true)
    try self.init(exchangedFields: json)
    if let problem = remoteProblem { throw .wrongLine("This is a todo \(problem).") }
  }

  /// Parses the fields of a todo from an object that may have other members.
  ///
  /// - Throws: `validation` for an invalid value or a missing required field.
  init(exchangedFields json: JSONObject) throws(TodoError) {
    self.init()
    read(json)
    let read = exchangedFields(ContentField.allCases.filter { json[$0.rawValue] != nil })
    for field in ContentField.allCases {
      let name = field.rawValue
      guard let value = json[name], !value.isNull else {
        if field.traits.isRequired { throw .wrongLine("A todo needs a \"\(name)\".") }
        continue
      }
      guard field.kind.includes(value) else {
        throw .wrongLine(
          "\"\(name)\" must be \(field.kind.exchangeName), not \(value.exchangeKind).")
      }
      // `read` ignores an invalid value, so the field still has its initial value.
      if read[name] == Self.initialFields[name], read[name] ?? field.kind.emptyJSON != value {
        throw .wrongLine("\"\(name)\" is not valid. \(field.expected)")
      }
    }
  }

  private static let initialFields = TodoContent().exchangedFields()

  /// Returns a JSON object with the fields that have a value.
  func exchangedFields(_ fields: [ContentField] = ContentField.allCases) -> JSONObject {
    var all = JSONObject()
    write(fields, to: &all)
    return JSONObject(all.members.filter { !$0.value.isNull }.map { ($0.key, $0.value) })
  }
}

extension FieldKind {
  fileprivate var exchangeName: String {
    switch self {
    case .text: "a string"
    case .flag: "true or false"
    case .texts: "an array of strings"
    }
  }

  /// The JSON of an empty value. Exports leave such values out.
  fileprivate var emptyJSON: JSON {
    switch self {
    case .text, .flag: .null
    case .texts: .array([])
    }
  }

  /// Whether a JSON value is of this kind. An array of strings can be a `.text`, too: a text with
  /// U+0000 is exported as the array of its parts.
  fileprivate func includes(_ json: JSON) -> Bool {
    let texts = json.arrayValue?.compactMap(\.stringValue)
    let hasTexts = texts != nil && texts?.count == json.arrayValue?.count
    return switch self {
    case .text: json.exchangedText != nil
    case .flag: json.boolValue != nil
    case .texts: hasTexts
    }
  }
}

extension JSON {
  /// Creates the exported value of a text: a string. A text with U+0000 characters becomes an array
  /// of the parts between these characters. In a string, the JSON writer would replace the U+0000
  /// characters.
  init(exchanged text: String) {
    guard text.hasNull else {
      self = .string(text)
      return
    }
    let parts = text.utf8.split(separator: 0, omittingEmptySubsequences: false)
    self = .array(parts.map { .string(String(decoding: Array($0), as: UTF8.self)) })
  }

  /// The text that this value represents; `nil` if it does not represent a text.
  fileprivate var exchangedText: String? {
    guard let parts = arrayValue else { return stringValue }
    let texts = parts.compactMap(\.stringValue)
    return texts.count == parts.count && texts.count > 1 ? texts.joined(separator: "\0") : nil
  }

  /// The JSON type of the value with an article, for messages.
  fileprivate var exchangeKind: String {
    let kind = kindName
    return (kind == "array" || kind == "object" ? "an " : "a ") + kind
  }
}
