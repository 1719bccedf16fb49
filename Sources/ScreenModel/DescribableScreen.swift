/// A screen of a workflow. It has a description, and handles the user's input.
///
/// `change` and `act` are called only with names that the description contains, because
/// `ScreenOffer` checks each request first.
package protocol DescribableScreen {
  /// The description of the screen without its bar and its actions, which `declareActions` adds.
  var contents: Screen { get }

  /// Declares the actions of the screen, in the order in which the description lists them.
  func declareActions(in actions: inout ActionDeclarations)

  /// The cache for the description; `nil` if the description is not cached.
  var memo: ScreenMemo? { get }

  /// Whether the form is being saved.
  var isSaving: Bool { get }

  /// Whether closing the form would lose text.
  var hasUnsavedText: Bool { get }

  /// Closes the screen, because the user performs an action on the screen below. Does nothing if
  /// closing would lose text.
  func leave()

  /// Checks that a client's edits belong to the form.
  ///
  /// - Parameter base: The `ScreenForm.base` of the form that the user has edited.
  /// - Throws: A refusal if the base belongs to another form.
  func check(base: String) throws(ScreenOffer.Refusal)

  /// Returns whether the user has seen the texts that the screen now compares (the sides). Returns
  /// `true` for a screen that is not a comparison.
  ///
  /// - Parameter base: The base of the comparison that the user has seen, as sent by the front-end.
  func comparesSides(ofBase base: String) -> Bool

  /// Returns a copy of the screen with the changes that `change(_:base:)` would make. The workflow
  /// is not changed.
  func applying(_ values: [String: String], base: String?) -> Self

  /// Applies the user's edits to fields of the form.
  ///
  /// - Parameter base: The base of the form that the user has edited; `nil` if it is not known. It
  ///   differs from the current base if the stored text has changed meanwhile, or if the edits were
  ///   made before this process started.
  func change(_ values: [String: String], base: String?)

  /// Returns a closure that opens a form again with its unsaved text; `nil` if this screen does not
  /// open forms with this name.
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
  package func comparesSides(ofBase base: String) -> Bool { true }
  package func applying(_ values: [String: String], base: String?) -> Self { self }
  package func change(_ values: [String: String], base: String?) {}
  package func reopening(
    _ form: String, _ values: [String: String], base: String, _ token: OperationToken?
  ) throws(ScreenOffer.Refusal) -> (() -> Void)? { nil }
  package func show(_ window: ListWindow, _ token: OperationToken?) {}
}

/// A cache for the description of a screen. Each rendering of the screen's workflow has its own
/// cache.
///
/// While the user types in a form, the list that the form covers does not change. All copies of
/// the list's cached description share the same arrays. Therefore, the arrays can be compared
/// without comparing their elements.
package final class ScreenMemo {
  var screen: Screen?
  var backgroundActions: [ScreenAction]?

  package init() {}
}

/// A request to perform an action, with its items and values.
package struct ActionCall: Sendable, Equatable {
  package var action: String
  /// The IDs of the items, for an action on items. There can be several only if the action has
  /// `isForMany`.
  package var items: [String]
  /// The values for the action's `input`. Fields that the front-end has not sent are missing.
  package var input: [String: String]
  /// Whether the form stays open after it was saved.
  package var stays: Bool
  /// The token of the operation that this call performs; `nil` if no client waits for the outcome.
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

/// The identity of an operation. The request for an operation and its outcome have the same token.
package struct OperationToken: Hashable, Sendable {
  package let number: UInt64
  package init(number: UInt64) { self.number = number }
}
