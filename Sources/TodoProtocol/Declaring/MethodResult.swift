import JSONRPC
import ScreenModel
import TodoModel
import TodoWire
import TodoWorkflows

/// The result of a method, created from the outcome of its operation.
protocol MethodResult: WrittenValue {
  /// Creates the result from an outcome; `nil` if no method with this type of result has such an
  /// outcome.
  init?(_ outcome: TodoOutcome, at context: ResponseContext)
  /// Returns an estimate of the encoded size.
  static func estimatedByteCount(of outcome: TodoOutcome) -> Int
}

extension MethodResult {
  static func estimatedByteCount(of outcome: TodoOutcome) -> Int { 256 }
}

/// The state that a response refers to besides its outcome: the screens at the time of encoding.
struct ResponseContext {
  var screens: [Screen]
  var revision: Int64
  /// Whether the client requests only the front screen and the lists below it.
  var isFrontOnly: Bool
}
