/// Where a request stands: not asked, under way, answered or failed.
///
/// Every request of the app is a value of this type in a workflow's state, so that nothing can
/// hang half-way: each path ends in one of the four (the idea of seed 003, for any value).
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
