import JSONRPC
import SQLiteDatabase
import TodoModel

/// The columns that store the fields of a todo.
extension ContentField {
  var column: TodoColumn {
    switch self {
    case .title: .title
    case .note: .note
    case .done: .done
    case .due: .due
    case .labels: .labels
    case .priority: .priority
    }
  }

  /// The fields that are columns of the table `todo`. The note has its own table, so that it is not
  /// written again when another field changes.
  static let inTodoTable = allCases.filter { $0.column != .note }
}

extension TodoContent {
  /// The values of the fields in `ContentField.inTodoTable`.
  var sqlValues: [SQLValue] { ContentField.inTodoTable.map { SQLValue(self[$0]) } }
}

extension SQLValue {
  init(_ value: FieldValue?) {
    switch value {
    case .text(let text): self = .text(text)
    case .flag(let flag): self.init(flag)
    case .texts(let texts): self = .text(JSON.array(texts.map { .string($0) }).compactText)
    case nil: self = .null
    }
  }
}

extension Row {
  /// The content of a todo, from a row with the columns of `TodoColumns.whole`.
  ///
  /// It uses a `switch` over the fields, because `visit` with stored values needed 7 % more
  /// instructions in `getTodo`.
  var content: TodoContent {
    var content = TodoContent()
    for field in ContentField.allCases {
      let column = field.column.rawValue
      switch field {
      case .title: content.title = text(column)
      case .note: content.note = text(column)
      case .done: content.isDone = flag(column)
      case .due: content.due = dueDate
      case .labels: content.labels = labels
      case .priority: content.priority = priority
      }
    }
    return content
  }

  var priority: Priority? {
    optionalText(TodoColumn.priority.rawValue).flatMap { Priority(rawValue: $0) }
  }

  var dueDate: DueDate? { optionalText(TodoColumn.due.rawValue).flatMap { DueDate($0) } }

  var labels: LabelSet {
    guard var text = optionalText(TodoColumn.labels.rawValue) else { return LabelSet() }
    let texts = text.withUTF8 { try? JSON(parsing: $0) }?.arrayValue ?? []
    return LabelSet(texts.compactMap(\.stringValue))
  }
}
