import JSONRPC
import ScreenModel
import TodoModel
import TodoWire
import TodoWorkflows

/// What a method is answered with, made of how its operation has ended.
protocol MethodResult: WrittenValue {
  /// Nil for an outcome that no method with this result has.
  init?(_ outcome: TodoOutcome, at context: ResponseContext)
  /// About how many bytes it will have.
  static func estimatedByteCount(of outcome: TodoOutcome) -> Int
}

extension MethodResult {
  static func estimatedByteCount(of outcome: TodoOutcome) -> Int { 256 }
}

/// What an answer may speak of besides its outcome: what the user sees when it is written.
struct ResponseContext {
  var screens: [Screen]
  var revision: Int64
  /// Whether the screen in front and a list below it are enough.
  var isFrontOnly: Bool
}
