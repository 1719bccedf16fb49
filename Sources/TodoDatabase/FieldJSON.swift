import JSONRPC
import TodoModel

extension JSONObject {
  /// Sets a member for each field that has a value.
  mutating func setFields(of content: TodoContent) {
    for field in ContentField.allCases {
      if let value = content[field] { self[field.rawValue] = JSON(value) }
    }
  }
}

extension JSON {
  init(_ value: FieldValue) {
    switch value {
    case .text(let text): self = .string(text)
    case .flag(let flag): self = .bool(flag)
    case .texts(let texts): self = .array(texts.map { .string($0) })
    }
  }
}
