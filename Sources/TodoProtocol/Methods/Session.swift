import JSONRPC
import TodoModel

/// `login`: whose todos they are.
package struct Login: Sendable, Equatable {
  package var name: String
  package var password: Secret?

  init(_ params: Params) throws(RPCError) {
    name = try params.string("name")
    password = try params.optionalString("password").map { Secret($0) }
  }
}

/// `register`: makes an account. What is missing counts as empty: the rules of the form decide,
/// with the form's sentence.
package struct Register: Sendable, Equatable {
  package var username: String
  package var password: Secret

  init(_ params: Params) throws(RPCError) {
    username = try params.optionalString("username") ?? ""
    password = Secret(try params.optionalString("password") ?? "")
  }
}

/// `loadTodos`: brings the list up to date with its source.
package struct LoadTodos: Sendable, Equatable {
  package var refresh: Bool
  /// Set when the front-end wants `$/progress`.
  package var progressToken: RequestID?

  init(_ params: Params) throws(RPCError) {
    refresh = try params.optionalBool("refresh") ?? false
    progressToken = try params.optionalRequestID("workDoneToken")
  }
}

/// `$/cancelRequest`: nobody waits for that answer any more.
package struct CancelRequest: Sendable, Equatable {
  package var id: RequestID

  package init(_ params: JSON?) throws(RPCError) {
    id = try Params(params).requestID("id")
  }
}

/// `$/setTrace`.
package struct SetTrace: Sendable, Equatable {
  package var value: TraceValue

  package init(_ params: JSON?) throws(RPCError) {
    let params = try Params(params)
    value = try TraceValue(try params.string("value"), in: params, key: "value")
  }
}
