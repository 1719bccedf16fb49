import JSONRPC
import ScreenModel
import TodoWire
import TodoWorkflows

/// The method `workflow/rendering`: returns the current screens.
struct WorkflowRendering: Method {
  typealias Result = WholeRendering
  static let name = "workflow/rendering"
  static let purpose = "Reads the screens."
  static let members: [Member<WorkflowRendering>] = []

  func command() -> RequestCommand { .screen(.rendering) }
}

/// The method `screen/change`: applies the user's text to fields of a form.
extension ScreenChange: Method {
  typealias Result = RevisionResult
  static let name = "screen/change"
  static let purpose = "Sends the text that the user typed into fields."
  static let rules = MethodRules(hasSecrets: true)
  package static let members: [Member<ScreenChange>] = [
    .required("screen") { $0.screen = $1 },
    .required("values") { $0.values = ($1 as FieldValues).texts },
    .optional("base") { $0.base = $1 },
    .optional("open") { $0.opens = $1 },
  ]

  func command() -> RequestCommand { .screen(.change(self)) }
}

/// The method `screen/act`: performs an action of a screen.
extension ScreenAct: Method {
  typealias Result = ActionResult
  static let name = "screen/act"
  static let purpose = "Runs an action of a screen."
  static let rules = MethodRules(hasSecrets: true)
  package static let members: [Member<ScreenAct>] = [
    .required("screen") { $0.screen = $1 },
    .required("action") { $0.action = $1 },
    .optional("item") { $0.items = [$1] },
    .optional("items") { $0.items = ($1 as ItemIDs).ids },
    .optional("values") { $0.values = ($1 as FieldValues).texts },
    .optional("stay") { $0.stays = $1 },
    .optional("base") { $0.base = $1 },
  ]

  func command() -> RequestCommand { .screen(.act(self)) }
}

/// The IDs of several items. A call contains either `items` or a single `item`.
private struct ItemIDs: MemberValue {
  var ids: [String]

  static let schema = Schema.array(.string)
  static let kind = "array"

  static func read(_ name: String, _ params: Params) throws(RPCError) -> ItemIDs? {
    guard let ids = try params.optionalStrings(name) else { return nil }
    let countMax = ScreenAction.itemCountMax
    guard (1...countMax).contains(ids.count) else {
      throw params.invalid(name, "expected 1 to \(countMax) ids, got \(ids.count)")
    }
    var found: Set<String> = []
    for (index, id) in ids.enumerated() where !found.insert(id).inserted {
      throw params.invalid("\(name)[\(index)]", "expected an id that is not in the array before")
    }
    guard try params.optionalString("item") == nil else {
      throw params.invalid(name, "expected item or items, got both")
    }
    return ItemIDs(ids: ids)
  }
}

/// The method `screen/window`: sets the part of a list that the front-end shows.
extension ScreenWindow: Method {
  typealias Result = RevisionResult
  static let name = "screen/window"
  static let purpose = "Selects the rows of a list that the front-end shows."
  package static let members: [Member<ScreenWindow>] = [
    .required("screen") { $0.screen = $1 },
    .required("offset") { $0.window.offset = ($1 as Count).value },
    .required("limit") { $0.window.limit = ($1 as Count).value },
  ]

  func command() -> RequestCommand { .screen(.window(self)) }
}
