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

/// The screens when a response is encoded. Some responses contain facts about them.
struct ResponseContext {
  var screens: [Screen]
  var revision: Int64
  /// Whether a rendering contains only the front screen and the lists behind it. Of other screens
  /// behind it, only the ID, name and title are sent.
  var isFrontOnly: Bool
}
