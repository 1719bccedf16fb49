import ScreenModel

/// Which screen was in front when something was done, and which ones were below it.
package struct ScreenPlace: Sendable, Equatable {
  private var front: String?
  private var below: [String]

  package init(_ screens: [Screen]) {
    front = screens.last?.id
    below = screens.dropLast().map(\.id)
  }

  /// The result of an action for the user.
  package enum Outcome: String, Sendable, CaseIterable {
    /// The same screen is in front.
    case stays
    /// One that was below is in front, or the old one is gone.
    case back
    /// There is another one in front of it.
    case further
    /// Nothing was stored: the screen in front needs a decision.
    case asks
  }

  package func outcome(showing screens: [Screen]) -> Outcome {
    let new = screens.last?.id
    if new == front { return .stays }
    if let new, below.contains(new) { return .back }
    return screens.contains { $0.id == front } ? .further : .back
  }
}
