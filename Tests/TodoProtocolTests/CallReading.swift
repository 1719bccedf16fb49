import JSONRPC
import Testing

@testable import TodoProtocol

/// Reads a request as it stands on the wire; nil for absent params.
@discardableResult
func read(_ method: String, _ params: String?) throws -> RequestCommand {
  let raw = try params.map { RawJSON(try JSON(parsing: Array($0.utf8))) }
  guard let entry = Methods.entry(named: method) else { throw RPCError.methodNotFound(method) }
  return try entry.read(try Params(raw))
}

/// The error that a request's params are refused with.
func refusal(
  _ method: String, _ params: String?, sourceLocation: SourceLocation = #_sourceLocation
) throws -> RPCError {
  try #require(throws: RPCError.self, sourceLocation: sourceLocation) {
    _ = try read(method, params)
  }
}
