import ScreenModel
import Testing

@testable import TodoWorkflows

@Suite("The outcome of an action")
struct ScreenStackStateTests {
  private func screens(_ ids: String...) -> [Screen] {
    ids.map { Screen(id: $0, name: "n", title: "t", bar: .hidden, body: .form([]), actions: []) }
  }

  @Test("is the same screen, one below, or another one")
  func moves() {
    let place = ScreenStackState(screens("welcome", "list", "edit/1"))
    #expect(place.outcome(showing: screens("welcome", "list", "edit/1")) == .stays)
    #expect(place.outcome(showing: screens("welcome", "list")) == .back)
    #expect(place.outcome(showing: screens("welcome")) == .back)
    #expect(place.outcome(showing: screens("welcome", "list", "edit/1", "more")) == .further)
    #expect(
      place.outcome(showing: screens("welcome", "list", "edit/2")) == .back, "the old one is gone")
    #expect(place.outcome(showing: screens("welcome", "list", "conflict/1")) == .back)
    #expect(
      ScreenStackState(screens("welcome")).outcome(showing: screens("welcome", "list")) == .further)
  }
}
