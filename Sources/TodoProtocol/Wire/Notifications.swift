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

/// The params of `window/logMessage`.
package enum LogMessageWire {
  /// - Parameter level: `error`, `warning`, `info`, or anything else for a mere log line.
  package static func params(level: String, text: String) -> JSON {
    let types: [String: Int64] = ["error": 1, "warning": 2, "info": 3]
    return .object(["type": .integer(types[level] ?? 4), "message": .string(text)])
  }
}
