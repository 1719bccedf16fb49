import JSONRPC
import TodoWorkflows

/// The params of `$/progress`, in LSP's three steps.
enum ProgressWire {
  static func begin(token: RequestID) -> JSON {
    params(token, ["kind": "begin", "title": "Loading todos"])
  }

  /// `percentage` where the number of pages is known.
  static func report(_ progress: LoadProgress, token: RequestID) -> JSON {
    let pages = progress.pageCount.map { "\(progress.pagesDone) of \($0)" }
    var value: JSONObject = [
      "kind": "report", "message": .string("\(pages ?? "\(progress.pagesDone)") pages"),
    ]
    if let pageCount = progress.pageCount {
      let percentage = min(100, 100 * progress.pagesDone / max(1, pageCount))
      value["percentage"] = .integer(Int64(percentage))
    }
    return params(token, value)
  }

  static func end(token: RequestID) -> JSON { params(token, ["kind": "end"]) }

  private static func params(_ token: RequestID, _ value: JSONObject) -> JSON {
    .object(["token": token.json, "value": .object(value)])
  }
}

/// The params of `window/logMessage`.
enum LogMessageWire {
  /// - Parameter level: `error`, `warning`, `info`, or anything else for a mere log line.
  static func params(level: String, text: String) -> JSON {
    let types: [String: Int64] = ["error": 1, "warning": 2, "info": 3]
    return .object(["type": .integer(types[level] ?? 4), "message": .string(text)])
  }
}
