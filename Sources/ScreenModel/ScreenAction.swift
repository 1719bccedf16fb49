/// An action that the user can perform.
package struct ScreenAction: Sendable, Equatable {
  package enum Scope: String, Sendable, CaseIterable {
    /// An action on the screen.
    case screen
    /// An action on items of the list; a call names the items.
    case item
  }

  package var name: String
  package var title: String
  package var isEnabled: Bool
  package var scope: Scope
  /// The kind of action, for which editors have their own key.
  package var role: ActionRole?
  /// The key that performs the action while no field has the cursor, for editors that have no own
  /// key for the role. It is unique on its screen.
  package var key: Character?
  /// Whether Enter performs the action. A screen has at most one such action of each scope.
  package var isPrimary: Bool
  /// A question to ask the user first.
  package var confirm: String?
  /// Whether the action can be performed on several items in one step, which one undo reverts.
  package var isForMany: Bool
  /// The question for several items, with `countPlaceholder` in place of their number.
  package var confirmMany: String?
  /// The fields that the user fills in first; a call of the action contains their values.
  package var input: [ScreenField]
}

// In an extension, so that the memberwise initializer exists: setting the members one by one would
// copy the whole value at the end, and take twice the instructions.
extension ScreenAction {
  package init(
    name: String, title: String, role: ActionRole? = nil, key: Character? = nil,
    isPrimary: Bool = false, isEnabled: Bool = true, scope: Scope = .screen,
    confirm: String? = nil, isForMany: Bool = false, confirmMany: String? = nil,
    input: [ScreenField] = []
  ) {
    self.init(
      name: name, title: title, isEnabled: isEnabled, scope: scope, role: role, key: key,
      isPrimary: isPrimary, confirm: confirm, isForMany: isForMany, confirmMany: confirmMany,
      input: input)
  }

  /// The maximum number of items that one call can name.
  package static let itemCountMax = 1_000

  package static let countPlaceholder = "{count}"
}

/// A kind of action for which editors have a key, such as `dd`, `u`, `/`, `:w`, Escape or Enter.
///
/// The meaning of a published role never changes. A screen has each role at most once.
package enum ActionRole: String, Sendable, CaseIterable {
  /// Shows the item.
  case open
  /// Ticks the item off, or removes the tick.
  case toggle
  case create, remove, save
  /// Shows the removed items.
  case removed
  /// Restores a removed item.
  case restore
  /// Shows the items that have a date, of all lists.
  case agenda
  /// Moves the item past the item above or below.
  case moveUp, moveDown
  /// Leaves the screen. Stored data stays unchanged.
  case back
  case search
  case undo, redo
  /// Updates the screen from the source.
  case refresh
  /// Repeats a failed operation.
  case retry
  /// Sends local changes to the source, and fetches remote changes.
  case sync
  case login, logout, register
  /// Resolves a conflict with the local side (`keep`), the other side (`take`), or the merged text
  /// (`merge`).
  case keep, take, merge
  /// Opens the page of the item at its source.
  case link
}
