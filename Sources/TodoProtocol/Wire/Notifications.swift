import JSONRPC

/// The values of `$/progress`, in LSP's three steps.
package enum ProgressWire {
  package static func begin(title: String) -> JSON {
    .object(["kind": "begin", "title": .string(title)])
  }

  /// `percentage` where the end is known.
  package static func report(message: String, percentage: Int?) -> JSON {
    var value: JSONObject = ["kind": "report", "message": .string(message)]
    if let percentage { value["percentage"] = .integer(Int64(percentage)) }
    return .object(value)
  }

  package static func end() -> JSON { .object(["kind": "end"]) }

  package static func params(token: RequestID, value: JSON) -> JSON {
    .object(["token": token.json, "value": value])
  }
}
