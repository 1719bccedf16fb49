import JSONRPC
import ScreenModel
import TodoModel
import TodoWire
import TodoWorkflows

/// The result of a method, which is created from the outcome of its operation.
protocol MethodResult: WrittenValue {
  /// Creates the result from an outcome; `nil` if the method cannot have such an outcome.
  init?(_ outcome: TodoOutcome, at context: ResponseContext)
  /// Returns an estimate of the encoded size, in bytes.
  static func estimatedByteCount(of outcome: TodoOutcome) -> Int
}

extension MethodResult {
  static func estimatedByteCount(of outcome: TodoOutcome) -> Int { 256 }
}

/// The state of the screens at the time when a response is encoded. Some responses contain parts of
/// this state.
struct ResponseContext {
  var screens: [Screen]
  var revision: Int64
  /// Whether renderings are reduced: they contain the front screen and the lists behind it, but
  /// only the ID, name and title of other screens.
  var isFrontOnly: Bool
}
