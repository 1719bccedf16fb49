/// The declarations of a screen's actions. Each declaration includes the effect of the action.
///
/// A screen declares its actions in `declareActions(in:)`. This method runs in two cases:
/// - To describe the screen. Then the actions are collected.
/// - To perform an `ActionCall`, which contains the name of an action. Then the effect of this
///   action is run.
///
/// Therefore, each described action has an effect. The closures do not escape, so a declaration
/// allocates no memory.
package struct ActionDeclarations: ~Copyable {
  /// The side of the bar on which an action is shown.
  package enum BarSide { case left, right }

  /// The call to perform; `nil` if the actions are collected for the description of the screen.
  private let call: ActionCall?
  fileprivate private(set) var actions: [ScreenAction] = []
  fileprivate private(set) var bar = ScreenBar.hidden
  /// Whether the effect of the called action was run.
  fileprivate private(set) var isPerformed = false

  /// The number of actions for which memory is reserved. The screen of a list can have this many;
  /// all other screens have fewer.
  private static let expectedActionCount = 18

  fileprivate init() {
    call = nil
    actions.reserveCapacity(Self.expectedActionCount)
  }

  fileprivate init(_ call: ActionCall) { self.call = call }

  /// Declares an action of the screen.
  ///
  /// - Parameters:
  ///   - side: The side of the bar on which the action is shown; `nil` if the bar does not show it.
  ///   - confirm: A question that the user must confirm first; `nil` for none.
  package mutating func add(
    _ name: String, _ title: String, role: ActionRole? = nil, key: Character,
    isPrimary: Bool = false,
    on side: BarSide? = nil, isEnabled: @autoclosure () -> Bool = true,
    confirm: @autoclosure () -> String? = nil, effect: (ActionCall) -> Void
  ) {
    if let call {
      guard call.action == name else { return }
      isPerformed = true
      return effect(call)
    }
    show(name, on: side)
    actions.append(
      ScreenAction(
        name: name, title: title, role: role, key: key, isPrimary: isPrimary,
        isEnabled: isEnabled(), confirm: confirm()))
  }

  /// Declares an action of the screen. The user first enters a value for the action.
  ///
  /// - Parameter effect: Receives the value, which is empty if the call does not contain one.
  package mutating func add(
    _ name: String, _ title: String, role: ActionRole? = nil, key: Character,
    isPrimary: Bool = false,
    on side: BarSide? = nil, isEnabled: Bool = true, input: ScreenField,
    effect: (String, ActionCall) -> Void
  ) {
    if let call {
      guard call.action == name else { return }
      isPerformed = true
      return effect(call.input[input.name] ?? "", call)
    }
    show(name, on: side)
    actions.append(
      ScreenAction(
        name: name, title: title, role: role, key: key, isPrimary: isPrimary, isEnabled: isEnabled,
        input: [input]))
  }

  /// Declares an action that is performed on one item of the list.
  ///
  /// - Parameters:
  ///   - input: The fields that the user fills in first.
  ///   - effect: Receives the ID of the item. It is not run for a call without an item.
  package mutating func addForItem(
    _ name: String, _ title: String, role: ActionRole? = nil, key: Character,
    isPrimary: Bool = false, isEnabled: Bool = true, confirm: String? = nil,
    input: @autoclosure () -> [ScreenField] = [], effect: (String, ActionCall) -> Void
  ) {
    if let call {
      guard call.action == name, let item = call.items.first else { return }
      isPerformed = true
      return effect(item, call)
    }
    actions.append(
      ScreenAction(
        name: name, title: title, role: role, key: key, isPrimary: isPrimary,
        isEnabled: isEnabled, scope: .item, confirm: confirm, input: input()))
  }

  /// Declares an action that is performed on one or several items of the list.
  ///
  /// - Parameters:
  ///   - isForMany: Whether a call can name several items. It is `false` if the store cannot change
  ///     several items in one transaction.
  ///   - confirm: The question that the user must confirm for one item; `nil` for none.
  ///   - confirmMany: The question for several items, with `{count}` in place of their number.
  ///   - input: The fields that the user fills in first, once for all items.
  ///   - effect: Receives the IDs of the items. It is not run for a call without items.
  package mutating func addForItems(
    _ name: String, _ title: String, role: ActionRole? = nil, key: Character, isForMany: Bool,
    isEnabled: Bool = true, confirm: String? = nil, confirmMany: String? = nil,
    input: @autoclosure () -> [ScreenField] = [], effect: ([String], ActionCall) -> Void
  ) {
    if let call {
      guard call.action == name, !call.items.isEmpty else { return }
      isPerformed = true
      return effect(call.items, call)
    }
    actions.append(
      ScreenAction(
        name: name, title: title, role: role, key: key, isEnabled: isEnabled, scope: .item,
        confirm: confirm,
        isForMany: isForMany, confirmMany: isForMany ? confirmMany : nil, input: input()))
  }

  private mutating func show(_ name: String, on side: BarSide?) {
    switch side {
    case .left: (bar.isVisible, bar.left) = (true, name)
    case .right: (bar.isVisible, bar.right) = (true, name)
    case nil: break
    }
  }
}

extension DescribableScreen {
  /// Returns the description of the screen. The description is cached if the screen has a `memo`.
  package func describe() -> Screen {
    if let screen = memo?.screen { return screen }
    var screen = contents
    addActions(to: &screen)
    memo?.screen = screen
    return screen
  }

  /// Disables the actions in a description of this screen, because another screen covers it.
  package func moveToBackground(_ screen: inout Screen) {
    if let actions = memo?.backgroundActions {
      screen.actions = actions
    } else {
      screen.moveToBackground()
      memo?.backgroundActions = screen.actions
    }
  }

  // Not inlined, because inlining would copy the screen.
  @inline(never)
  private func addActions(to screen: inout Screen) {
    var declarations = ActionDeclarations()
    declareActions(in: &declarations)
    (screen.bar, screen.actions) = (declarations.bar, declarations.actions)
  }

  /// Runs the effect of an action.
  ///
  /// - Returns: `false` if the screen does not have the action, or if the action needs an item and
  ///   the call has none.
  @discardableResult
  package func act(_ call: ActionCall) -> Bool {
    var declarations = ActionDeclarations(call)
    declareActions(in: &declarations)
    return declarations.isPerformed
  }
}
