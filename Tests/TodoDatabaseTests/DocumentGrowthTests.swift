import Testing
import TodoModel

@testable import TodoDatabase

/// A user saves a new line, does not reload the file, and continues the line.
@Suite struct DocumentGrowthTests {
  let keeper: DocumentKeeper

  init() throws { keeper = try DocumentKeeper(.local) }

  private var store: SQLiteStore { keeper.store }

  private var contents: [TodoContent] {
    get throws { try store.todos(TodoQuery(), in: keeper.list).elements.map(\.content) }
  }

  @Test func aTodoLineThatGrowsBetweenSavesIsTheSameTodo() throws {
    let text = try keeper.text()
    for line in [
      "Buy", "Buy milk", "Buy oat milk", "Buy oat milk\n  Two litres",
      "Buy oat milk\n  Two big litres",
    ] {
      try keeper.save(text.replacing("<!-- end", with: "- [ ] \(line)\n<!-- end"))
      _ = try keeper.text()
    }
    try keeper.save(
      text.replacing("<!-- end", with: "- [x] Buy oat milk\n  Two big litres\n<!-- end"))
    #expect(
      try contents == [
        TodoContent(title: "Buy oat milk", note: "Two big litres", isDone: true)
      ])
  }

  /// A longer line is not a continuation of a saved line if it lacks a word of the saved line, or
  /// if the text still contains the saved line.
  @Test func aLineWithOtherWordsIsAnotherTodo() throws {
    let text = try keeper.text()
    for lines in [
      ["Buy milk"], ["Buy milk", "Buy milk and bread"], ["Buy milkshake"], ["Some"], ["And Some"],
    ] {
      let typed = lines.map { "- [ ] \($0)\n" }.joined()
      try keeper.save(text.replacing("<!-- end", with: "\(typed)<!-- end"))
      _ = try keeper.text()
    }
    #expect(
      try Set(contents.map(\.title)) == [
        "Buy milk", "Buy milk and bread", "Buy milkshake", "Some", "And Some",
      ])
  }

  /// A line is not a continuation of a todo if it lacks a word that another user has added to the
  /// todo.
  @Test func aTodoThatWasChangedSinceIsNotTheBeginningOfALine() throws {
    let text = try keeper.text()
    try keeper.save(text.replacing("<!-- end", with: "- [ ] Buy milk\n<!-- end"))
    let todo = try #require(try store.todos(TodoQuery(), in: keeper.list).elements.first)
    _ = try store.edit(todo.id, try TodoEdit(title: "Buy oat milk"), in: keeper.list)
    try keeper.save(text.replacing("<!-- end", with: "- [ ] Buy milk today\n<!-- end"))
    #expect(try Set(contents.map(\.title)) == ["Buy oat milk", "Buy milk today"])
  }

  @Test func aLineThatGrowsBetweenSavesIsStoredOnce() throws {
    let text = try keeper.text().replacing("<!-- end", with: "One\n<!-- end")
    try keeper.save(text)
    for line in ["Two", "Two and", "Two and a half", "- [ ] Two and a half"] {
      try keeper.save(text.replacing("One\n", with: "One\n\(line)\nThree\n"))
      #expect(
        try keeper.text().split(separator: "\n").dropFirst().filter { $0.contains("Two") }.count
          == 1)
    }
    #expect(try contents.map(\.title) == ["Two and a half"])
    #expect(try keeper.text().contains("\nOne\n"))
    #expect(try keeper.text().contains("\nThree\n"))
  }

  /// A text that conflicts with a changed or removed todo, and is then continued, is stored as one
  /// side of the conflict.
  @Test(arguments: [false, true])
  func aTextThatGrowsConflictsWithATodoOnce(isGone: Bool) throws {
    let todo = try store.add(try NewTodo(title: "Milk"), to: keeper.list)
    let text = try keeper.text()
    if isGone {
      try store.remove(todo.id, expectedVersion: nil, in: keeper.list)
    } else {
      _ = try store.edit(todo.id, try TodoEdit(title: "Soy milk"), in: keeper.list)
    }
    for title in ["Oat milk", "Oat milk today", "Oat milk, or soy, today", "Buy Oat milk today"] {
      try keeper.save(text.replacing("] Milk", with: "] \(title)"))
      _ = try keeper.text()
    }
    let lines = try keeper.text().split(separator: "\n").filter { $0.contains("Oat") }
    if isGone {
      // The todo is restored, with its first text.
      #expect(try contents.count == 1)
      #expect(lines.contains { $0.contains("[ ] Buy Oat milk today") }, "\(lines)")
    } else {
      #expect(lines.count == 2, "\(lines)")
    }
  }
}
