/// A typed screen of a workflow, with its description and its handlers of the user's input.
///
/// `change` and `act` are only called with names that the description offers: `ScreenOffer` checks
/// them first.
package protocol DescribableScreen {
  /// The screen without its bar and its actions, which only `declareActions(in:)` adds.
  var contents: Screen { get }

  /// Declares the actions of the screen, in the order in which its description lists them.
  func declareActions(in actions: inout ActionDeclarations)

  /// The cache of the description; `nil` if the screen has no cache.
  var memo: ScreenMemo? { get }

  /// Whether a save of the form is in progress.
  var isSaving: Bool { get }

  /// Whether closing the form would drop text.
  var hasUnsavedText: Bool { get }

  /// Closes the screen for an action of the screen below; does nothing if that would drop text.
  func leave()

  /// Checks that edits with this base belong to the form.
  ///
  /// - Throws: A refusal if they do not.
  func check(base: String) throws(ScreenOffer.Refusal)

  /// Returns a copy of the screen as it would be after `change`. The workflow stays unchanged.
  func applying(_ values: [String: String], base: String?) -> Self

  /// Handles the user's input in fields of the form.
  ///
  /// - Parameter base: The base of the form that the user edited, if known. It differs from the
  ///   form's current base if the stored text has been changed in the meantime, or if the edits
  ///   were made before this process started.
  func change(_ values: [String: String], base: String?)

  /// Returns the effect that opens a form again with its unsaved text; `nil` if this screen does
  /// not open forms of that name.
  ///
  /// - Parameter base: The base of the form, which identifies its todo.
  /// - Throws: A refusal, such as `otherList`.
  func reopening(
    _ form: String, _ values: [String: String], base: String, _ token: OperationToken?
  ) throws(ScreenOffer.Refusal) -> (() -> Void)?

  /// Sets the part of the list that the front-end shows.
  func show(_ window: ListWindow, _ token: OperationToken?)
}

extension DescribableScreen {
  package var memo: ScreenMemo? { nil }
  package var isSaving: Bool { false }
  package var hasUnsavedText: Bool { false }
  package func leave() {}
  package func check(base: String) throws(ScreenOffer.Refusal) {}
  package func applying(_ values: [String: String], base: String?) -> Self { self }
  package func change(_ values: [String: String], base: String?) {}
  package func reopening(
    _ form: String, _ values: [String: String], base: String, _ token: OperationToken?
  ) throws(ScreenOffer.Refusal) -> (() -> Void)? { nil }
  package func show(_ window: ListWindow, _ token: OperationToken?) {}
}

/// A cache of a screen's description, which belongs to one rendering of the screen's workflow.
///
/// A list below a form does not change while the user types in the form. Its cached description
/// keeps the same arrays, which are found equal without comparing elements.
package final class ScreenMemo {
  var screen: Screen?
  var backgroundActions: [ScreenAction]?

  package init() {}
}

/// A call of an action, with its items and values.
package struct ActionCall: Sendable, Equatable {
  package var action: String
  /// The IDs of the items, for an action on items; several only if the action has `isForMany`.
  package var items: [String]
  /// The values of the action's `input`; fields that were not sent are absent.
  package var input: [String: String]
  /// Whether the form stays open after a save.
  package var stays: Bool
  /// The token of the request that waits for the action; `nil` if no request waits.
  package var token: OperationToken?

  package init(
    action: String, items: [String] = [], input: [String: String] = [:], stays: Bool = false,
    token: OperationToken? = nil
  ) {
    self.action = action
    self.items = items
    self.input = input
    self.stays = stays
    self.token = token
  }
}

/// The identity of an operation, from its request to its response.
package struct OperationToken: Hashable, Sendable {
  package let number: UInt64
  package init(number: UInt64) { self.number = number }
}
