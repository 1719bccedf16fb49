/// The state of an asynchronous request: not sent, in flight, succeeded or failed.
///
/// Workflows store the state of each request as a value of this type, so the compiler checks that
/// every outcome is handled.
package enum AsyncRequestState<Value> {
  case none
  case request
  case success(Value)
  case error(TodoError)

  package var isInFlight: Bool {
    if case .request = self { true } else { false }
  }

  package var failure: TodoError? {
    if case .error(let error) = self { error } else { nil }
  }
}

extension AsyncRequestState: Equatable where Value: Equatable {}
extension AsyncRequestState: Sendable where Value: Sendable {}
