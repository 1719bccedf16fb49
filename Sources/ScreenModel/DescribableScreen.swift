/// A typed screen of a workflow that can say what it looks like and take what the user did.
///
/// `change` and `act` are only called with names that the description offers: `ScreenOffer` checks
/// them first.
package protocol DescribableScreen {
  /// The screen without its bar and its actions, which only `declareActions(in:)` adds.
  var contents: Screen { get }

  /// Declares the actions in the order in which they are described.
  func declareActions(in actions: inout ActionDeclarations)

  /// The cache of the description; `nil` for a screen without one.
  var memo: ScreenMemo? { get }

  /// Whether what was typed is on its way to the store.
  var isSaving: Bool { get }

  /// Whether there is text in the form that would be gone with it.
  var hasUnsavedText: Bool { get }

  /// Goes back to the screen below, for the user does something there. Nothing happens where there
  /// is text that would be gone.
  func leave()

  /// Throws a refusal unless edits with this base belong in the form.
  func check(base: String) throws(ScreenOffer.Refusal)

  /// The screen as it would be after `change`, which changes nothing else: what it would offer then.
  func applying(_ values: [String: String], base: String?) -> Self

  /// The user typed into fields of the form.
  ///
  /// - Parameter base: The `base` of the form that the user typed into, where it is known. It is
  ///   another one than now when what is stored was changed in the same moment, or when the text is
  ///   older than this process.
  func change(_ values: [String: String], base: String?)

  /// Returns the effect that opens a form again with its unsaved text; `nil` if the form is of
  /// another screen.
  ///
  /// - Parameter base: The base of the form, which names its todo.
  /// - Throws: A refusal, such as `otherList`.
  func reopening(
    _ form: String, _ values: [String: String], base: String, _ token: OperationToken?
  ) throws(ScreenOffer.Refusal) -> (() -> Void)?

  /// The front-end shows another part of the list.
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

/// The description of a screen that one rendering of its workflow made.
///
/// A list below a form stays the same from keypress to keypress. With its description kept, comparisons
/// of its actions find the same storage and compare no element.
package final class ScreenMemo {
  var screen: Screen?
  var backgroundActions: [ScreenAction]?

  package init() {}
}

/// What the user pressed, and what belongs to it.
package struct ActionCall: Sendable, Equatable {
  package var action: String
  /// The items, for an action of item scope; several only if the action is for many.
  package var items: [String]
  /// What the action's `input` asked for; a field that was not sent is absent.
  package var input: [String: String]
  /// Whether a form that is saved is to stay open.
  package var stays: Bool
  /// Who waits for the action's end; nil when nobody does.
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

/// Names an operation that somebody waits for, from its request to its answer.
package struct OperationToken: Hashable, Sendable {
  package let number: UInt64
  package init(number: UInt64) { self.number = number }
}
