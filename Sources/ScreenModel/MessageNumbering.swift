/// Assigns each message a number that is unique in the session.
///
/// A screen numbers only its own messages. A front-end must also be able to distinguish the
/// messages of different screens.
package struct MessageNumbering {
  /// The messages that are currently shown, with the IDs of their screens and their numbers.
  private var standing: [(screen: String, said: ScreenMessage, number: Int)] = []
  private var count = 0

  package init() {}

  /// Numbers the messages of all current screens.
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
