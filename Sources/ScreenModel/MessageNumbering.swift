/// Assigns each message a number that is unique in the session.
///
/// A screen numbers only its own messages, so messages of different screens could have the same
/// number. Front-ends need to distinguish them.
package struct MessageNumbering {
  /// The messages that are currently shown, each with the ID of its screen and its number.
  private var standing: [(screen: String, said: ScreenMessage, number: Int)] = []
  private var count = 0

  package init() {}

  /// Assigns numbers to the messages of all screens. A message that is still shown keeps its
  /// number.
  package mutating func number(_ screens: inout [Screen]) {
    var next: [(screen: String, said: ScreenMessage, number: Int)] = []
    for index in screens.indices {
      guard let said = screens[index].message else { continue }
      let screen = screens[index].id
      let known = standing.first { $0.screen == screen && $0.said == said }?.number
      if known == nil { count += 1 }
      let number = known ?? count
      screens[index].message?.id = number
      next.append((screen, said, number))
    }
    standing = next
  }
}
