/// The actions of a screen, each declared once, with its effect.
///
/// A screen declares them in `declareActions(in:)`, which runs in one of two passes: the description
/// collects the actions, and a call runs the effect of the action that it names. So an action that
/// is described is handled. No closure escapes: a declaration allocates nothing.
package struct ActionDeclarations: ~Copyable {
  /// The side of the bar that shows an action.
  package enum BarSide { case left, right }

  /// The call to run; `nil` in the pass that describes.
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
  ///   - side: Where the bar shows the action, if it does.
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

  /// Declares an action of each item, once for the whole list.
  ///
  /// - Parameters:
  ///   - input: Fields to ask the user for first.
  ///   - effect: Receives the id of the item. A call without an item has no effect.
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

  /// Declares an action of one or several items, once for the whole list.
  ///
  /// - Parameters:
  ///   - isForMany: Whether a call may name several items; `false` in a store without groups.
  ///   - confirm: A question to ask the user first, for one item.
  ///   - confirmMany: The same for several items, with `{count}` for their number.
  ///   - input: Fields to ask the user for, once for all items.
  ///   - effect: Receives the ids of the items. A call without an item has no effect.
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
  /// Returns the screen as values.
  package func describe() -> Screen {
    if let screen = memo?.screen { return screen }
    var screen = contents
    addActions(to: &screen)
    memo?.screen = screen
    return screen
  }

  /// Disables the actions of the described screen, which is below another one.
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
  /// - Returns: `false` if the screen has no such action, or if it is for items and the call names
  ///   none.
  @discardableResult
  package func act(_ call: ActionCall) -> Bool {
    var declarations = ActionDeclarations(call)
    declareActions(in: &declarations)
    return declarations.isPerformed
  }
}
