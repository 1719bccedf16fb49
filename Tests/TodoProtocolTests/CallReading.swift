import JSONRPC
import Testing
import TodoProtocol

/// Reads a call as it stands on the wire; nil for absent params.
func read(_ method: String, _ params: String?) throws -> Call {
  let json = try params.map { try JSON(parsing: Array($0.utf8)) }
  return try Call(method: method, params: json)
}

/// The error that a call's params are refused with.
func refusal(
  _ method: String, _ params: String?, sourceLocation: SourceLocation = #_sourceLocation
) throws -> RPCError {
  try #require(throws: RPCError.self, sourceLocation: sourceLocation) {
    _ = try read(method, params)
  }
}
