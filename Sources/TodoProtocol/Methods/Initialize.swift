import JSONRPC

/// `initialize`: the first request, and the only one before its response.
package struct Initialize: Sendable, Equatable {
  package static let protocolVersion: Int64 = 1

  /// The process that the server is to end with, where it is named.
  package var processID: Int?
  package var options: InitializationOptions
  package var trace: TraceValue
  package var rendering: RenderCapabilities

  init(_ params: Params) throws(RPCError) {
    processID = try params.optionalInteger("processId")
    options = try InitializationOptions(try params.optionalObject("initializationOptions"))
    rendering = try RenderCapabilities(
      try params.optionalObject("capabilities")?.optionalObject("render"))
    guard let word = try params.optionalString("trace") else {
      trace = .off
      return
    }
    trace = try TraceValue(word, in: params, key: "trace")
  }

  /// The answer: what this server is, and what it can do.
  package static func result(version: String) -> JSON {
    .object([
      "protocolVersion": .integer(protocolVersion),
      "serverInfo": .object(["name": "todo-server", "version": .string(version)]),
      "capabilities": .object([
        "methods": .array(MethodName.allCases.map { .string($0.rawValue) }),
        "render": .object(["patch": true, "window": true]),
      ]),
    ])
  }
}

/// What a front-end can draw.
package struct RenderCapabilities: Sendable, Equatable {
  /// Whether it wants patches after the first full rendering.
  package var isPatching = false
  /// How many items of a list it wants until it says otherwise; nil: all of them.
  package var windowLimit: Int?

  package init() {}

  init(_ params: Params?) throws(RPCError) {
    guard let params else { return }
    isPatching = try params.optionalBool("patch") ?? false
    windowLimit = try params.optionalCount("window")
  }
}

/// What a front-end may choose instead of the command line's flags.
package struct InitializationOptions: Sendable, Equatable {
  package var store: String?
  package var source: String?
  package var githubURL: String?
  package var registerURL: String?

  package init() {}

  init(_ params: Params?) throws(RPCError) {
    guard let params else { return }
    store = try params.optionalString("store")
    source = try params.optionalString("source")
    githubURL = try params.optionalString("githubURL")
    registerURL = try params.optionalString("registerURL")
  }
}

/// How much of its work the server tells in `$/logTrace`.
package enum TraceValue: String, Sendable, CaseIterable {
  case off, messages, verbose

  /// Throws `invalidParams` for a word that is none of the three.
  init(_ word: String, in params: Params, key: String) throws(RPCError) {
    guard let value = TraceValue(rawValue: word) else {
      throw params.invalid(
        key, "expected \"off\", \"messages\" or \"verbose\", got another string")
    }
    self = value
  }
}
