import JSONRPC
import TodoModel

/// A request of a front-end with panes.
struct PaneRequest {
  enum Purpose {
    /// Requests a check of the edits of a pane.
    case check
    case save
    /// Removes the screen of a pane: *Discard*, or the choice of one side of a conflict.
    case close
    case logOut
    case logIn
    case show(TodoListKey)
    /// Opens a form.
    case open
  }

  let method: String
  var params: JSONObject
  var purpose: Purpose
  /// The number of the pane.
  var pane: Int?
  /// The texts that the user saw, by field.
  var shown: [String: String] = [:]
  /// The labels of the merged text that the user saw.
  var mergedLabels: Set<String> = []
  /// The stored words that the request may remove, because the user saw them.
  var removable: Set<String> = []

  init(_ method: String, _ purpose: Purpose, _ params: JSONObject = [:]) {
    (self.method, self.params, self.purpose) = (method, params, purpose)
  }

  var action: String { params["action"]?.stringValue ?? "" }
  var base: EditBase? { params["base"]?.stringValue.flatMap { FormBase($0)?.edit } }
  var values: [String: String] {
    (params["values"]?.objectValue?.members ?? []).reduce(into: [:]) {
      $0[$1.key] = $1.value.stringValue
    }
  }
}

extension Pane {
  /// Returns a request about the pane's form. If an action of a comparison has a question, the
  /// question is about the two sides that the user sees. The request for such an action therefore
  /// contains the base of these sides.
  func request(
    _ method: String, _ purpose: PaneRequest.Purpose, action: String? = nil,
    sends values: [String: String]
  ) -> PaneRequest {
    var params: JSONObject = ["screen": .string(screen.name)]
    let isAsked = actions.contains { $0.name == action && $0.confirm != nil }
    if let base = screen.isComparison && isAsked ? screen.base : base {
      params["base"] = .string(base)
    }
    if let action { params["action"] = .string(action) }
    params["values"] = .object(
      JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }))
    var request = PaneRequest(method, purpose, params)
    (request.pane, request.shown) = (number, screen.values)
    request.mergedLabels = screen.labels["merged"] ?? []
    request.removable = screen.isComparison ? shownWords : deleted
    return request
  }

  /// The request that opens the form again if it is not in front, and lets the server check the
  /// edits.
  var opening: PaneRequest {
    var request = request("screen/change", .check, sends: edits)
    request.params["open"] = true
    return request
  }
}
