import JSONRPC
import TodoModel
import TodoRemotes

/// A transport that traces the method, host and path of each HTTP request. The query, the headers
/// and the body are not traced, because they may contain secrets.
struct TracedTransport: HTTPTransport {
  let transport: any HTTPTransport
  let trace: TraceFile

  func send(_ request: HTTPRequest) async throws(TodoError) -> HTTPResponse {
    let path = request.url.target.prefix { $0 != "?" }
    let span = trace.begin("\(request.method) \(request.url.host)\(path)", .http)
    do throws(TodoError) {
      let response = try await transport.send(request)
      trace.end(
        span,
        [
          "status": .integer(Int64(response.status)), "bytes": .integer(Int64(response.body.count)),
        ])
      return response
    } catch {
      trace.end(span, ["error": .string(error.kind.rawValue)])
      throw error
    }
  }
}
