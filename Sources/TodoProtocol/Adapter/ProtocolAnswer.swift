import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// The answer to a request, before it is encoded.
package enum ProtocolAnswer {
  case outcome(TodoOutcome, of: MethodEntry)
  case initialized(version: String)
  case nothing

  /// Writes the response that contains this answer.
  func write(_ id: RequestID, _ context: ResponseContext, to writer: inout JSONWriter) {
    switch self {
    case .initialized(let version):
      writer.response(id: id) { InitializeResult(version: version).write(to: &$0) }
    case .nothing: writer.response(id: id) { NoResult().write(to: &$0) }
    case .outcome(.failed(let error), _): writer.response(id: id, error: RPCError(error))
    case .outcome(.refused(let refusal), _):
      writer.response(id: id, error: RPCError(refusal, revision: context.revision))
    case .outcome(.cancelled, _): writer.response(id: id, error: .requestCancelled())
    case .outcome(let outcome, let method): method.write(id, outcome, context, &writer)
    }
  }

  /// An estimate of the encoded size, in bytes.
  var estimatedByteCount: Int {
    switch self {
    case .outcome(.failed(let error), _):
      error.conflict.map {
        512 + ($0.base?.estimatedByteCount ?? 0) + $0.mine.estimatedByteCount
          + $0.theirs.estimatedByteCount
      } ?? 256
    case .outcome(let outcome, let method): method.estimatedByteCount(outcome)
    case .initialized, .nothing: 256
    }
  }
}

extension TodoContent {
  /// An estimate of the encoded size, in bytes.
  var estimatedByteCount: Int { title.utf8.count + note.utf8.count }
}
