/// Gives each message of a session a number of its own, for as long as it stands.
///
/// A screen tells only whether its message is another one than before. Whoever draws has to know
/// more: a front-end that has shown a message must not take that of another screen for it.
package struct MessageNumbering {
  /// What stands, and what each of it was called by its own screen.
  private var standing: [(screen: String, said: ScreenMessage, number: Int)] = []
  private var count = 0

  package init() {}

  /// Numbers the messages of all screens that there are now.
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
