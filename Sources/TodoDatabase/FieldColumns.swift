import SQLiteDatabase
import TodoModel

/// The columns of the fields of a todo.
extension ContentField {
  var column: TodoColumn {
    switch self {
    case .title: .title
    case .note: .note
    case .done: .done
    }
  }

  /// The fields in the table `todo`. The note has a table of its own, so that a tick does not write
  /// it again.
  static let inTodoTable = allCases.filter { $0.column != .note }
}

extension TodoContent {
  /// The values of `ContentField.inTodoTable`.
  var sqlValues: [SQLValue] { ContentField.inTodoTable.map { SQLValue(self[$0]) } }
}

extension SQLValue {
  init(_ value: FieldValue?) {
    switch value {
    case .text(let text): self = .text(text)
    case .flag(let flag): self.init(flag)
    case nil: self = .null
    }
  }
}

extension Row {
  /// The content of a todo. The columns are `TodoColumns.whole`.
  var content: TodoContent {
    var reader = ContentReader(row: self)
    for field in ContentField.allCases { field.visit(&reader) }
    return reader.content
  }
}

private struct ContentReader: ContentFieldVisitor {
  let row: Row
  var content = TodoContent()

  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) {
    let column = Field.field.column.rawValue
    guard let value = Field.Value(fieldValue: value(of: Field.Value.kind, at: column)) else {
      return
    }
    Field.set(value, in: &content)
  }

  private func value(of kind: FieldKind, at column: Int32) -> FieldValue? {
    switch kind {
    case .text: .text(row.text(column))
    case .flag: .flag(row.flag(column))
    case .optional(let kind): row.isNull(column) ? nil : value(of: kind, at: column)
    }
  }
}
