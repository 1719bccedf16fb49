import JSONRPC
import ScreenModel
import TodoWire
import TodoWorkflows

/// `workflow/rendering`: what the user sees now.
struct WorkflowRendering: Method {
  typealias Result = WholeRendering
  static let name = "workflow/rendering"
  static let members: [Member<WorkflowRendering>] = []

  func meaning() -> MethodMeaning { .screen(.rendering) }
}

/// `screen/change`: the user typed into fields.
extension ScreenChange: Method {
  typealias Result = Shown
  static let name = "screen/change"
  static let rules = MethodRules(hasSecrets: true)
  package static let members: [Member<ScreenChange>] = [
    .required("screen") { $0.screen = $1 },
    .required("values") { $0.values = ($1 as FieldValues).texts },
    .optional("base") { $0.base = $1 },
    .optional("open") { $0.opens = $1 },
  ]

  func meaning() -> MethodMeaning { .screen(.change(self)) }
}

/// `screen/act`: the user pressed.
extension ScreenAct: Method {
  typealias Result = Acted
  static let name = "screen/act"
  static let rules = MethodRules(hasSecrets: true)
  package static let members: [Member<ScreenAct>] = [
    .required("screen") { $0.screen = $1 },
    .required("action") { $0.action = $1 },
    .optional("item") { $0.item = $1 },
    .optional("values") { $0.values = ($1 as FieldValues).texts },
    .optional("stay") { $0.stays = $1 },
    .optional("base") { $0.base = $1 },
  ]

  func meaning() -> MethodMeaning { .screen(.act(self)) }
}

/// `screen/window`: which part of a list this front-end shows.
extension ScreenWindow: Method {
  typealias Result = Shown
  static let name = "screen/window"
  package static let members: [Member<ScreenWindow>] = [
    .required("screen") { $0.screen = $1 },
    .required("offset") { $0.window.offset = ($1 as Count).value },
    .required("limit") { $0.window.limit = ($1 as Count).value },
  ]

  func meaning() -> MethodMeaning { .screen(.window(self)) }
}
