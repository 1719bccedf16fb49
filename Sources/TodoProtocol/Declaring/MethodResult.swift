import JSONRPC
import ScreenModel
import TodoModel
import TodoWire
import TodoWorkflows

/// The result of a method, created from the outcome of its operation.
protocol MethodResult: WrittenValue {
  /// Creates the result; `nil` for an outcome that no method with this result has.
  init?(_ outcome: TodoOutcome, at context: ResponseContext)
  /// Returns an estimate of the encoded size.
  static func estimatedByteCount(of outcome: TodoOutcome) -> Int
}

extension MethodResult {
  static func estimatedByteCount(of outcome: TodoOutcome) -> Int { 256 }
}

/// The state that a response refers to besides its outcome: the screens when it is encoded.
struct ResponseContext {
  var screens: [Screen]
  var revision: Int64
  /// Whether the client requests only the front screen and the lists below it.
  var isFrontOnly: Bool
}
