/// A typed screen of a workflow that can say what it looks like and take what the user did.
///
/// `change` and `act` are only called with names that the description offers: whoever speaks for
/// the user asks `ScreenOffer` first.
package protocol DescribableScreen {
  func describe() -> Screen

  /// Whether what was typed is on its way to the store.
  var isSaving: Bool { get }

  /// Which version of what is being edited the form's texts were made from; nil where there is none.
  var textVersion: Int64? { get }

  /// The user typed into fields of the form.
  ///
  /// - Parameter seenVersion: The `textVersion` of the form that the user typed into, where it is
  ///   known. It is another one than now when the text was changed elsewhere in the same moment.
  func change(_ values: [String: String], seenVersion: Int64?)

  /// The front-end shows another part of the list.
  func show(_ window: ListWindow, _ token: OperationToken?)

  /// The user pressed.
  func act(_ call: ActionCall)
}

extension DescribableScreen {
  package var isSaving: Bool { false }
  package var textVersion: Int64? { nil }
  package func change(_ values: [String: String], seenVersion: Int64?) {}
  package func show(_ window: ListWindow, _ token: OperationToken?) {}
}

/// What the user pressed, and what belongs to it.
package struct ActionCall: Sendable, Equatable {
  package var action: String
  /// The item, for an action of item scope.
  package var item: String?
  /// What the action's `input` asked for; a field that was not sent is absent.
  package var input: [String: String]
  /// Who waits for the action's end; nil when nobody does.
  package var token: OperationToken?

  package init(
    action: String, item: String? = nil, input: [String: String] = [:],
    token: OperationToken? = nil
  ) {
    self.action = action
    self.item = item
    self.input = input
    self.token = token
  }
}

/// Names an operation that somebody waits for, from its request to its answer.
package struct OperationToken: Hashable, Sendable {
  package let number: UInt64
  package init(number: UInt64) { self.number = number }
}
