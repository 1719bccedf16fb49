/// The actions of a screen, each declared once, with its effect.
///
/// A screen declares its actions in `declareActions(in:)`, which runs in one of two passes: to
/// describe the screen, it collects all actions; to perform a call, it runs the effect of the
/// action that the call names. So every action that is described is handled. The closures do not
/// escape, so a declaration allocates nothing.
package struct ActionDeclarations: ~Copyable {
  /// The side of the bar that shows an action.
  package enum BarSide { case left, right }

  /// The call to perform; `nil` in the pass that describes the screen.
  private let call: ActionCall?
  fileprivate private(set) var actions: [ScreenAction] = []
  fileprivate private(set) var bar = ScreenBar.hidden
  /// Whether the effect of the call has run.
  fileprivate private(set) var isPerformed = false

  /// The capacity to reserve; no screen has more actions.
  private static let expectedActionCount = 16

  fileprivate init() {
    call = nil
    actions.reserveCapacity(Self.expectedActionCount)
  }

  fileprivate init(_ call: ActionCall) { self.call = call }

  /// Declares an action of the screen.
  ///
  /// - Parameters:
  ///   - side: The side of the bar that shows the action; `nil` if the bar does not show it.
  ///   - confirm: A question to ask the user first.
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

  /// Declares an action of the screen that asks the user for one value first.
  ///
  /// - Parameter effect: Receives the value; an empty one if the call has none.
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

  /// Declares an action that can be performed on any one item of the list.
  ///
  /// - Parameters:
  ///   - input: The fields that the user fills in first.
  ///   - effect: Receives the ID of the item. A call without an item has no effect.
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

  /// Declares an action that can be performed on one or several items of the list.
  ///
  /// - Parameters:
  ///   - isForMany: Whether a call may name several items; `false` if the store cannot change
  ///     several items in one step.
  ///   - confirm: A question to ask the user first, for one item.
  ///   - confirmMany: The question for several items, with `{count}` in place of their number.
  ///   - input: The fields that the user fills in first, once for all items.
  ///   - effect: Receives the IDs of the items. A call without an item has no effect.
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
  /// Returns the description of the screen, from the cache if there is one.
  package func describe() -> Screen {
    if let screen = memo?.screen { return screen }
    var screen = contents
    addActions(to: &screen)
    memo?.screen = screen
    return screen
  }

  /// Disables the actions in the description of this screen, because another screen covers it.
  package func moveToBackground(_ screen: inout Screen) {
    if let actions = memo?.backgroundActions {
      screen.actions = actions
    } else {
      screen.moveToBackground()
      memo?.backgroundActions = screen.actions
    }
  }

  // Not inlined, because that would copy the screen.
  @inline(never)
  private func addActions(to screen: inout Screen) {
    var declarations = ActionDeclarations()
    declareActions(in: &declarations)
    (screen.bar, screen.actions) = (declarations.bar, declarations.actions)
  }

  /// Runs the effect of an action.
  ///
  /// - Returns: `false` if the screen has no such action, or if the action is for items and the
  ///   call names no item.
  @discardableResult
  package func act(_ call: ActionCall) -> Bool {
    var declarations = ActionDeclarations(call)
    declareActions(in: &declarations)
    return declarations.isPerformed
  }
}
