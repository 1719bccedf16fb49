/// The state of a request: not sent, in flight, succeeded or failed.
///
/// Every request of the app is a value of this type in a workflow's state, so that no request lacks
/// one of the four states.
package enum AsyncRequestState<Value> {
  case none
  case request
  case success(Value)
  case error(TodoError)

  package var isUnderWay: Bool {
    if case .request = self { true } else { false }
  }

  package var failure: TodoError? {
    if case .error(let error) = self { error } else { nil }
  }
}

extension AsyncRequestState: Equatable where Value: Equatable {}
extension AsyncRequestState: Sendable where Value: Sendable {}
