/// The numbering of messages. Each message gets a number that is unique in the session.
///
/// A screen numbers only its own messages. Without this type, messages of different screens could
/// have the same number, and front-ends could not distinguish them.
package struct MessageNumbering {
  /// The messages that are currently shown, with the IDs of their screens and their numbers.
  private var shownMessages: [(screen: String, message: ScreenMessage, number: Int)] = []
  private var count = 0

  package init() {}

  /// Assigns numbers to the messages of all screens. A message that is still shown keeps its
  /// number.
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
