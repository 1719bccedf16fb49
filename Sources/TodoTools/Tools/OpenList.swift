import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// `open_list`: opens another list of the user, or returns all of them.
///
/// The other tools use the open list, so they need no argument that names a list. In a session with
/// one list, `open_list` is not offered, so that its description uses no tokens.
struct OpenList: Tool {
  static let name = "open_list"
  static let title = "Open a list"
  static let effect = ToolEffect.reads
  static let needsSeveralLists = true
  static let resultDepth = 2
  static let summary =
    "Opens another list of the user: all other tools use the open one. Without list, names all."

  var list: String?

  static let members: [Member<OpenList>] = [.optional("list") { $0.list = $1 }]

  func operation() -> TodoOperation { list.map { .openList(source: $0) } ?? .lists }

  func result(of outcome: TodoOutcome) -> OpenedList? {
    switch outcome {
    case .listOpened(let source): OpenedList(list: source)
    case .lists(let lists): OpenedList(list: lists.first(where: \.isOpen)?.source, lists: lists)
    case _: nil
    }
  }
}

/// The open list, and all lists if they were requested.
struct OpenedList: ToolResult {
  var list: String?
  var lists: [ListSummary]?

  static let sample = OpenedList()

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.optional("list", list)
    members.optional("lists", lists.map { $0.map(ListedList.init) })
  }

  var text: String {
    guard let lists else { return "Open: \(list ?? "")" }
    return lists.map { "\($0.source): \($0.total) todos\($0.isOpen ? ", open" : "")" }
      .joined(separator: "\n")
  }
}

/// One of the user's lists.
private struct ListedList: WrittenObject {
  var list: ListSummary

  static let sample = ListedList(
    list: ListSummary(source: "", total: 0, counts: SyncCounts(), isOpen: false))

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("list", list.source)
    members.required("total", list.total)
    members.required("conflicts", list.counts.conflicts)
  }
}
