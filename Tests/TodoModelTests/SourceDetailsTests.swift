import TestSupport
import Testing

@testable import TodoModel

@Suite struct SourceDetailsTests {
  @Test func emptyDetailsAreNil() {
    #expect(SourceDetails() == nil)
    #expect(SourceDetails(assignees: [""], milestone: "", comments: 0) == nil)
    #expect(SourceDetails(comments: -1) == nil)
  }

  /// A source may deliver texts of any length, with any characters.
  @Test func detailsAreTruncatedToShortLines() throws {
    let long = String(repeating: "é", count: SourceDetails.textBytesMax)
    let details = try #require(
      SourceDetails(
        assignees: ["ann", "a\nb", long] + (1...200).map { "user\($0)" }, milestone: "In\n\(long)",
        comments: .max))
    #expect(details.assignees.prefix(2) == ["ann", "user1"])
    #expect(details.assignees.count == SourceDetails.assigneesMax)
    #expect(details.milestone?.hasPrefix("Iné") == true)
    #expect(details.milestone?.utf8.count == SourceDetails.textBytesMax)
    #expect(details.comments == SourceDetails.commentsMax)
  }

  /// In a search, a qualifier cannot express the whitespace around a name.
  @Test func milestoneHasNoWhitespaceAround() {
    #expect(SourceDetails(milestone: "  two words\t")?.milestone == "two words")
    #expect(SourceDetails(milestone: " \n") == nil)
  }

  @Test func eachDetailDistinguishes() {
    let due = DueDate(CivilDay.sample)
    let all = SourceDetails(assignees: ["ann"], milestone: "v1", comments: 2, due: due)
    #expect(all == SourceDetails(assignees: ["ann"], milestone: "v1", comments: 2, due: due))
    #expect(all != SourceDetails(assignees: ["bob"], milestone: "v1", comments: 2, due: due))
    #expect(all != SourceDetails(assignees: ["ann"], milestone: "v2", comments: 2, due: due))
    #expect(all != SourceDetails(assignees: ["ann"], milestone: "v1", comments: 3, due: due))
    #expect(all != SourceDetails(assignees: ["ann"], milestone: "v1", comments: 2))
  }

  @Test func ownDateComesBeforeThatOfTheSource() {
    let (own, other) = (DueDate(CivilDay.first), DueDate(CivilDay.sample))
    var todo = Todo(
      id: TodoID("t1"), content: TodoContent(title: "t"), version: 1,
      createdAt: Timestamp(milliseconds: 0), updatedAt: Timestamp(milliseconds: 0), origin: nil,
      sync: .local)
    #expect(todo.effectiveDue == nil)
    todo.origin = TodoOrigin(url: "u", key: "1", details: SourceDetails(due: other))
    #expect(todo.effectiveDue == other)
    #expect(TodoRow(todo).effectiveDue == other)
    todo.content.due = own
    #expect(todo.effectiveDue == own && todo.sourceDue == other)
    #expect(TodoRow(todo).effectiveDue == own)
  }
}
