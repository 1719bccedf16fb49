/// Something that the user can do.
package struct ScreenAction: Sendable, Equatable {
  package enum Scope: String, Sendable, CaseIterable {
    /// It concerns the screen.
    case screen
    /// It concerns one item of the list, which has to be named.
    case item
  }

  package var name: String
  package var title: String
  package var isEnabled: Bool
  package var scope: Scope
  /// What kind of thing it is, where editors have an idiom for it.
  package var role: ActionRole?
  /// What to press for it where there is no idiom, and no field has the cursor: unique on its
  /// screen.
  package var key: Character?
  /// Whether Enter does it: at most one action of a screen for itself, and one for an item.
  package var isPrimary: Bool
  /// A question to ask the user first.
  package var confirm: String?
  /// Whether it can be done to several items in one step, which one undo reverses.
  package var isForMany: Bool
  /// `confirm` for several items: `countPlaceholder` in it stands for their number.
  package var confirmMany: String?
  /// What to ask the user for first; sent as the action's values.
  package var input: [ScreenField]
}

// An initializer that sets one member after the other copies the value at its end: twice the
// instructions.
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

  /// The most items that one call can name.
  package static let itemCountMax = 1_000

  package static let countPlaceholder = "{count}"
}

/// What an editor has an idiom for, such as `dd`, `u`, `/`, `:w`, Escape or Enter, and binds
/// whatever the action is called.
///
/// A role, once published, keeps its meaning; a screen has each at most once.
package enum ActionRole: String, Sendable, CaseIterable {
  /// Shows the item.
  case open
  /// Ticks the item off, or takes the tick away.
  case toggle
  case create, remove, save
  /// Shows the removed items.
  case removed
  /// Restores a removed item.
  case restore
  /// Shows the items with a date of all lists.
  case agenda
  /// Moves the item past the one above or below.
  case moveUp, moveDown
  /// Leaves the screen. It loses nothing that is stored.
  case back
  case search
  case undo, redo
  /// Brings what is shown up to date.
  case refresh
  /// Tries again what has failed.
  case retry
  /// Brings what was changed here to the source, and what was changed there here.
  case sync
  case login, logout, register
  /// Of the sides of a conflict: keeps mine, takes theirs, or stores what was made of both.
  case keep, take, merge
  /// Opens the page of the item at its source.
  case link
}
