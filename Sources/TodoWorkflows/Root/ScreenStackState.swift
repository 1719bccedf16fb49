import ScreenModel

/// The screens before an action. They are compared with the screens after the action.
package struct ScreenStackState: Sendable, Equatable {
  private var front: String?
  private var below: [String]

  package init(_ screens: [Screen]) {
    front = screens.last?.id
    below = screens.dropLast().map(\.id)
  }

  /// The effect of an action on the stack of screens.
  package enum Outcome: String, Sendable, CaseIterable {
    /// The same screen is in front.
    case stays
    /// A screen that was covered is now in front, or a new screen has replaced the screen that was
    /// in front.
    case back
    /// A new screen is in front of the previous one.
    case further
    /// Nothing was stored, because the screen in front needs a decision of the user.
    case asks
  }

  package func outcome(showing screens: [Screen]) -> Outcome {
    let new = screens.last?.id
    if new == front { return .stays }
    if let new, below.contains(new) { return .back }
    return screens.contains { $0.id == front } ? .further : .back
  }
}
