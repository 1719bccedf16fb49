import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// The method `listDrafts`: returns unsaved texts for the open list, from sessions that have ended.
struct ListDrafts: Method {
  typealias Result = DraftsResult
  static let name = "listDrafts"
  static let purpose = "Lists the unsaved texts that ended sessions have left."
  static let rules = MethodRules.inSession
  static let members: [Member<ListDrafts>] = []

  func command() -> RequestCommand { .operation(.list(.listDrafts)) }
}

/// The method `discardDraft`: discards an unsaved text.
struct DiscardDraft: Method {
  typealias Result = RevisionResult
  static let name = "discardDraft"
  static let purpose = "Discards an unsaved text."
  static let rules = MethodRules.inSession

  var number: Int64 = 0

  static let members: [Member<DiscardDraft>] = [
    .required("number") { $0.number = Int64($1 as Int) }
  ]

  func command() -> RequestCommand { .operation(.list(.discardDrafts([number]))) }
}
