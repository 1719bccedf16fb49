import JSONRPC
import TodoWire

/// The params of a notification that needs no params.
struct NoParams: DeclaredObject {
  static let members: [Member<NoParams>] = []
}

/// The params of `$/setTrace`.
struct SetTrace: DeclaredObject {
  var value = TraceValue.off

  static let members: [Member<SetTrace>] = [.required("value") { $0.value = $1 }]
}

/// The params of `$/cancelRequest`. They are declared only for the schema: the connection parses
/// them.
struct CancelRequest: DeclaredObject {
  var id: RequestID = 0

  static let members: [Member<CancelRequest>] = [.required("id") { $0.id = $1 }]
}
