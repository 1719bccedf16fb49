import JSONRPC
import SQLiteDatabase
import TodoModel

/// The index that finds todos by details of their items, such as the milestone. The details
/// themselves are in the row of the todo.
final class DetailTable {
  private unowned let connection: Connection
  private lazy var add = Statement(
    "INSERT OR IGNORE INTO detail (list, name, value, todo) VALUES (?, ?, ?, ?)", on: connection)
  private lazy var drop = Statement("DELETE FROM detail WHERE todo = ?", on: connection)

  init(over connection: Connection) { self.connection = connection }

  func add(_ details: SourceDetails?, to todo: Int64, in list: Int64) throws(TodoError) {
    for (name, value) in details?.indexed ?? [] {
      try add.run(.integer(list), .text(name.rawValue), value, .integer(todo))
    }
  }

  func replace(_ details: SourceDetails?, of todo: Int64, in list: Int64) throws(TodoError) {
    try drop.run(.integer(todo))
    try add(details, to: todo, in: list)
  }
}

extension SourceDetails {
  /// The values for the index. A text is represented by its `LabelSet.key`. The index contains
  /// neither the date, which is in the row of the todo, nor the remarks, which no search uses.
  var indexed: [(name: SourceDetail, value: SQLValue)] {
    var values = assignees.map { (SourceDetail.assignees, SQLValue.text(LabelSet.key(of: $0))) }
    if let milestone { values.append((.milestone, .text(LabelSet.key(of: milestone)))) }
    if let comments { values.append((.comments, .integer(Int64(comments)))) }
    return values
  }

  /// The details as they are stored in the row of a todo: a JSON object as text.
  var storedText: String { JSON.object(members).compactText }

  convenience init?(storedText: String) {
    guard let members = ContentText.members(of: storedText) else { return nil }
    self.init(members)
  }

  /// The details that have a value, by their names.
  var members: JSONObject {
    var json = JSONObject()
    func set(_ name: SourceDetail, _ value: JSON?) { json[name.rawValue] = value }
    set(.assignees, assignees.isEmpty ? nil : .array(assignees.map { .string($0) }))
    set(.milestone, milestone.map { .string($0) })
    set(.comments, comments.map { .integer(Int64($0)) })
    set(.due, due.map { .string($0.description) })
    set(.remarks, remarks.isEmpty ? nil : .array(remarks.map { .string($0) }))
    return json
  }

  convenience init?(_ members: JSONObject) {
    func value(_ name: SourceDetail) -> JSON? { members[name.rawValue] }
    self.init(
      assignees: value(.assignees)?.arrayValue?.compactMap(\.stringValue) ?? [],
      milestone: value(.milestone)?.stringValue,
      comments: value(.comments)?.integerValue.flatMap { Int(exactly: $0) },
      due: value(.due)?.stringValue.flatMap { DueDate($0) },
      remarks: value(.remarks)?.arrayValue?.compactMap(\.stringValue) ?? [])
  }
}
