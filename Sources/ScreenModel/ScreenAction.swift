/// An action that the user can perform on a screen.
package struct ScreenAction: Sendable, Equatable {
  package enum Scope: String, Sendable, CaseIterable {
    /// The action concerns the whole screen.
    case screen
    /// The action concerns items of the list. Each call names these items.
    case item
  }

  package var name: String
  package var title: String
  package var isEnabled: Bool
  package var scope: Scope
  /// The role of the action; `nil` for none. Editors have their own keys for the roles.
  package var role: ActionRole?
  /// The key for the action while the cursor is not in a field. An editor uses this key if it has
  /// no key of its own for the role of the action. The key is unique on the screen.
  package var key: Character?
  /// Whether the Enter key performs the action. A screen has at most one such action for the whole
  /// screen, and at most one for items.
  package var isPrimary: Bool
  /// A question that the user must confirm first; `nil` for none.
  package var confirm: String?
  /// Whether the action can be performed on several items in one transaction. One undo reverses the
  /// whole transaction.
  package var isForMany: Bool
  /// The question for several items, with `countPlaceholder` in place of their number; `nil` for
  /// none.
  package var confirmMany: String?
  /// The fields that the user fills in first. Each call contains their values.
  package var input: [ScreenField]
}

// This initializer is in an extension, so that the memberwise initializer exists. Setting the
// members one by one would need twice as many instructions, because it copies the whole value.
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

  /// The maximum number of items in one call.
  package static let itemCountMax = 1_000

  package static let countPlaceholder = "{count}"
}

/// The role of an action, for which editors have a key, such as `dd`, `u`, `/`, `:w`, Escape or
/// Enter.
///
/// The meaning of a published role never changes. Each role occurs at most once on a screen.
package enum ActionRole: String, Sendable, CaseIterable {
  /// Opens the item.
  case open
  /// Marks the item as done, or as not done.
  case toggle
  case create, remove, save
  /// Opens the screen of removed todos.
  case removed
  /// Restores a removed item.
  case restore
  /// Opens the agenda, which shows the items with a due date from all lists.
  case agenda
  /// Moves the item past the next item above or below it.
  case moveUp, moveDown
  /// Leaves the screen. Stored data is not changed.
  case back
  case search
  case undo, redo
  /// Loads the data of the screen from the source.
  case refresh
  /// Repeats an operation that has failed.
  case retry
  /// Sends local changes to the source, and loads the changes of the source.
  case sync
  case login, logout, register
  /// Resolves a conflict: keeps the local side (`keep`), takes the other side (`take`), or stores
  /// the merged text (`merge`).
  case keep, take, merge
  /// Opens the web page of the item at its source.
  case link
}
