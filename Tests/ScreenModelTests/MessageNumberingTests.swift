import ScreenModel
import Testing

@Suite("Numbers of messages")
struct MessageNumberingTests {
  private func screen(_ id: String, _ message: ScreenMessage?) -> Screen {
    Screen(
      id: id, name: "n", title: "t", bar: .hidden, body: .form([]), message: message, actions: [])
  }

  /// The numbers of the messages in a series of renderings.
  private func numbers(_ drawings: [[Screen]]) -> [[Int?]] {
    var numbering = MessageNumbering()
    return drawings.map { screens in
      var screens = screens
      numbering.number(&screens)
      return screens.map(\.message?.id)
    }
  }

  private let oops = ScreenMessage(.error, "Oops.")

  @Test("A message keeps its number while it is shown")
  func stands() {
    let drawing = [screen("a", oops), screen("b", nil)]
    #expect(numbers([drawing, drawing, [screen("a", oops)]]) == [[1, nil], [1, nil], [1]])
  }

  @Test("A repeated message is new if it disappeared in between or its screen counts it")
  func again() {
    let said = screen("a", oops)
    #expect(numbers([[said], [screen("a", nil)], [said]]) == [[1], [nil], [2]])
    let again = ScreenMessage(.error, "Oops.", id: 1)
    #expect(numbers([[said], [screen("a", again)]]) == [[1], [2]])
  }

  @Test("Another text or level is another message")
  func other() {
    let others = [ScreenMessage(.error, "Ouch."), ScreenMessage(.warning, "Ouch.")]
    #expect(numbers([[screen("a", oops)]] + others.map { [screen("a", $0)] }) == [[1], [2], [3]])
  }

  @Test("The same text on another screen is another message")
  func otherScreens() {
    let (a, b) = (screen("a", oops), screen("b", oops))
    #expect(numbers([[a], [a, b], [b], [a]]) == [[1], [1, 2], [2], [3]])
  }
}
