import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// The method `syncTodos`: sends local changes to the source, and loads the changes of the source.
struct SyncTodos: Method {
  typealias Result = SyncResult
  static let name = "syncTodos"
  static let purpose = "Sends changes to the source, and gets its changes."
  static let rules = MethodRules(waitsForSession: true, endsWithSignal: true)

  var request = SyncRequest()
  /// The token for progress reports; `nil` if the client wants none.
  var progressToken: RequestID?

  static let members: [Member<SyncTodos>] = [
    .optional("dryRun") { $0.request.isDryRun = $1 },
    .optional("all") { $0.request.isForAll = $1 },
    .optional("workDoneToken") { $0.progressToken = $1 },
  ]

  func command() -> RequestCommand { .reported(.sync(request), progressToken: progressToken) }
}

/// The method `listConflicts`: returns the todos that are in conflict with the source.
struct ListConflicts: Method {
  typealias Result = ConflictsResult
  static let name = "listConflicts"
  static let purpose = "Lists the todos that were changed both here and at the source."
  static let rules = MethodRules.inSession

  var offset = 0
  var limit: Int?

  static let members: [Member<ListConflicts>] = [
    .optional("offset") { $0.offset = ($1 as Count).value },
    .optional("limit") { $0.limit = ($1 as Count).value },
  ]

  func command() -> RequestCommand {
    .operation(.list(.ask(.conflicts(offset: offset, limit: limit))))
  }
}

/// The method `resolveConflict`: resolves the conflict between a todo and its source.
struct ResolveConflict: Method, FieldMembersOwner {
  typealias Result = ChangedTodo
  static let name = "resolveConflict"
  static let purpose = "Resolves a conflict."
  static let rules = MethodRules.inSession

  var id = TodoID("")
  var version: Int64 = 0
  var keep = ConflictChoice.mine
  var changes = FieldChanges()

  static let members: [Member<ResolveConflict>] =
    [
      .required("id") { $0.id = $1 },
      .required("version") { $0.version = Int64($1 as Int) },
      .required("keep") { $0.keep = $1 },
    ] + editedFields

  func command() -> RequestCommand {
    do throws(TodoError) {
      return .operation(.list(.resolve(id, version: version, try resolution())))
    } catch {
      return .operation(.invalid(error))
    }
  }

  private func resolution() throws(TodoError) -> Resolution {
    switch keep {
    case .mine: .keep(.mine)
    case .theirs: .keep(.theirs)
    case .merged: .merged(try TodoEdit(checking: changes))
    }
  }
}

/// The choice that resolves a conflict.
enum ConflictChoice: String, Sendable, CaseIterable, MemberEnumValue {
  case mine, theirs, merged

  static var expected: String { "\"mine\", \"theirs\" or \"merged\"" }
  static var words: [String] { allCases.map(\.rawValue) }
  init?(word: String) { self.init(rawValue: word) }
}

/// The method `listLists`: returns a summary of each of the user's lists.
struct ListLists: Method {
  typealias Result = ListsResult
  static let name = "listLists"
  static let purpose = "Lists the lists of the user."
  static let rules = MethodRules.inSession
  static let members: [Member<ListLists>] = []

  func command() -> RequestCommand { .operation(.lists) }
}

/// The method `openList`: opens another list.
struct OpenList: Method {
  typealias Result = OpenedList
  static let name = "openList"
  static let purpose = "Opens another list."
  static let rules = MethodRules.leavesList

  var source = ""

  static let members: [Member<OpenList>] = [.required("source") { $0.source = $1 }]

  func command() -> RequestCommand { .operation(.openList(source: source)) }
}

/// The method `watchTodos`: reports each later change of the user's lists with a notification
/// `todo/changed`.
struct WatchTodos: Method {
  typealias Result = RevisionResult
  static let name = "watchTodos"
  static let purpose = "Reports every later change of the lists, as `todo/changed`."
  static let rules = MethodRules.inSession
  static let members: [Member<WatchTodos>] = []

  func command() -> RequestCommand { .operation(.watch) }
}
