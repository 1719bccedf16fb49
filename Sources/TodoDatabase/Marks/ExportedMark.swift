import JSONRPC
import TodoModel

/// A mark (see `TodoMark`) in an export. Marks of removed todos are exported, too, so that the
/// importing store does not assign them to other todos.
struct ExportedMark {
  var mark: TodoMark
  var id: TodoID
  /// The time at which the mark was reserved for a new todo; `nil` if the todo was added.
  var reservedAt: Timestamp?

  init(mark: TodoMark, id: TodoID, reservedAt: Timestamp?) {
    (self.mark, self.id, self.reservedAt) = (mark, id, reservedAt)
  }

  private enum Member: String, CaseIterable {
    case mark, todo, reservedAt
  }

  var members: JSONObject {
    var json = JSONObject()
    json[Member.mark.rawValue] = .string(mark.text)
    json[Member.todo.rawValue] = .string(id.text)
    json[Member.reservedAt.rawValue] = reservedAt.map { .string($0.description) }
    return json
  }

  /// Parses a mark.
  ///
  /// - Throws: `validation` with the reason.
  init(_ json: JSONObject, in version: ExchangeVersion) throws(TodoError) {
    let members = try ExchangeMembers<Member>(json, in: version)
    guard let mark = TodoMark(try members.require(.mark, members.text(.mark))) else {
      throw .wrongLine(
        "A \"mark\" has \(TodoMark.count) letters or digits, without i, l, o and u.")
    }
    self.mark = mark
    id = try members.require(.todo, members.id(.todo))
    reservedAt = try members.time(.reservedAt)
  }
}
