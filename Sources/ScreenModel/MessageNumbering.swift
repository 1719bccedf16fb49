/// Assigns each message a number that is unique in the session.
///
/// A screen numbers only its own messages. A front-end must also be able to distinguish the
/// messages of different screens.
package struct MessageNumbering {
  /// The messages that are currently shown, with the IDs of their screens and their numbers.
  private var shownMessages: [(screen: String, message: ScreenMessage, number: Int)] = []
  private var count = 0

  package init() {}

  /// Numbers the messages of all current screens.
  package mutating func number(_ screens: inout [Screen]) {
    var next: [(screen: String, message: ScreenMessage, number: Int)] = []
    for index in screens.indices {
      guard let message = screens[index].message else { continue }
      let screen = screens[index].id
      let known = shownMessages.first { $0.screen == screen && $0.message == message }?.number
      if known == nil { count += 1 }
      let number = known ?? count
      screens[index].message?.id = number
      next.append((screen, message, number))
    }
    shownMessages = next
  }
}
