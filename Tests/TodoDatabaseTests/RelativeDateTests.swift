import Testing
import TodoModel

@testable import TodoDatabase

/// Tests dates such as `due:fri` in a text that is saved on several days.
@Suite struct RelativeDateTests {
  private let keeper: DocumentKeeper
  private let tuesday: CivilDay

  init() throws {
    keeper = try DocumentKeeper(.local)
    tuesday = try #require(CivilDay("2026-12-01"))
    keeper.today = tuesday
  }

  private var todos: [String] {
    get throws {
      try keeper.store.todos(TodoQuery(), in: keeper.list).elements.map {
        "\($0.content.title) \($0.content.due?.description ?? "-")"
      }
    }
  }

  /// Saves a text on this day, and again on each of the next ten days.
  private func saveDaily(_ text: String) throws {
    for days in 0...10 {
      keeper.today = try #require(tuesday.adding(days: days))
      try keeper.save(text)
    }
    keeper.today = tuesday
  }

  @Test func addedLineKeepsItsFirstDate() throws {
    let text = try keeper.text()
    try saveDaily(text.replacing("<!-- end", with: "- [ ] Milk due:fri\n<!-- end"))
    #expect(try todos == ["Milk 2026-12-04"])
  }

  @Test func editedLineKeepsItsFirstDate() throws {
    try keeper.save(try keeper.text().replacing("<!-- end", with: "- [ ] Milk\n<!-- end"))
    let text = try keeper.text()
    try saveDaily(text.replacing("Milk ^", with: "Milk due:tomorrow ^"))
    #expect(try todos == ["Milk 2026-12-02"])
    // The rendered text contains the date instead of the input.
    #expect(try keeper.text().contains("- [ ] Milk due:2026-12-02 ^"))
  }

  @Test func aRelativeDateInAnEditedLineCountsFromTheDayOfTheEdit() throws {
    try keeper.save(try keeper.text().replacing("<!-- end", with: "- [ ] Milk due:fri\n<!-- end"))
    keeper.today = try #require(tuesday.adding(days: 7))
    try keeper.save(try keeper.text().replacing("due:2026-12-04", with: "due:fri"))
    #expect(try todos == ["Milk 2026-12-11"])
  }

  @Test func textOfAConflictKeepsItsFirstDate() throws {
    try keeper.save(try keeper.text().replacing("<!-- end", with: "- [ ] Milk\n<!-- end"))
    let old = try keeper.text()
    try keeper.save(old.replacing("Milk", with: "Oat milk"))
    _ = try keeper.text()
    try saveDaily(old.replacing("Milk ^", with: "Soy milk due:fri ^"))
    let sides = try keeper.store.readDocument(keeper.path, in: keeper.list).todos[0].sides
    #expect(
      sides.map { "\($0.content.title) \($0.content.due?.description ?? "-")" }
        == ["Soy milk 2026-12-04", "Oat milk -"])
  }
}
