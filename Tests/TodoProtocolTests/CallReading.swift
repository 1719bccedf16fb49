import JSONRPC
import Testing

@testable import TodoProtocol

/// Parses a request; `nil` stands for absent params.
@discardableResult
func read(_ method: String, _ params: String?) throws -> RequestCommand {
  let raw = try params.map { RawJSON(try JSON(parsing: Array($0.utf8))) }
  guard let entry = Methods.entry(named: method) else { throw RPCError.methodNotFound(method) }
  return try entry.read(try Params(raw))
}

/// Returns the error for a request's params.
func refusal(
  _ method: String, _ params: String?, sourceLocation: SourceLocation = #_sourceLocation
) throws -> RPCError {
  try #require(throws: RPCError.self, sourceLocation: sourceLocation) {
    _ = try read(method, params)
  }
}
