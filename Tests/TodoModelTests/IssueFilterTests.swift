import Testing

@testable import TodoModel

@Suite("Filters of issues")
struct IssueFilterTests {
  @Test(
    "The parameters of a filter are sorted, and its labels too",
    arguments: [
      ("assignee=@me", "assignee=@me"), ("milestone=3&assignee=none", "assignee=none&milestone=3"),
      ("labels=ui,bug&creator=Ann", "creator=Ann&labels=bug,ui"),
      ("labels=good%20first%20issue,a%2cb", "labels=a%2Cb,good%20first%20issue"),
      ("creator=app%5Bbot%5D", "creator=app[bot]"), ("milestone=none", "milestone=none"),
    ])
  func descriptions(text: String, sorted: String) throws {
    let filter = try IssueFilter(text)
    #expect(filter.description == sorted)
    #expect(try IssueFilter(sorted).description == sorted)
    let source = try SourceKind("github:octo/tasks?\(text)")
    #expect(source.text == "github:octo/tasks?\(sorted)")
    #expect(source.listName == "github:octo/tasks")
  }

  @Test("Two spellings of a filter are one")
  func spellings() throws {
    let filter = try IssueFilter("labels=Bug,ui&assignee=Ann")
    #expect(try filter == IssueFilter("assignee=ann&labels=UI,bug"))
    #expect(try filter != IssueFilter("assignee=ann&labels=bug"))
    #expect(filter.labels.texts == ["Bug", "ui"])
  }

  @Test(
    "A wrong filter is refused with what to write",
    arguments: [
      ("", "expected only the parameters assignee, creator, labels, milestone"),
      ("x=1", "expected only the parameters assignee, creator, labels, milestone"),
      ("assignee=@me&", "expected only the parameters assignee, creator, labels, milestone"),
      ("Labels=bug", "expected only the parameters assignee, creator, labels, milestone"),
      ("labels=bug&labels=ui", "expected the parameter labels once"),
      ("assignee", "expected @me, none or a user as the assignee"),
      ("assignee=", "expected @me, none or a user as the assignee"),
      ("assignee=*", "expected @me, none or a user as the assignee"),
      ("creator=none", "expected @me or a user as the creator"),
      ("creator=a b", "expected @me or a user as the creator"),
      ("labels=", "expected different labels with commas between them"),
      ("labels=bug,", "expected different labels with commas between them"),
      ("labels=bug,Bug", "expected different labels with commas between them"),
      ("labels=%20bug", "expected different labels with commas between them"),
      ("labels=bug%2", "expected different labels with commas between them"),
      ("labels=%ff", "expected different labels with commas between them"),
      ("milestone=0", "expected none or the number of a milestone"),
      ("milestone=v1", "expected none or the number of a milestone"),
    ])
  func wrong(text: String, message: String) {
    #expect(throws: OptionError(message)) {
      _ = try SourceKind("github:octo/tasks?\(text)")
    }
  }

  @Test("All assigned issues have no filter")
  func assigned() {
    #expect(throws: OptionError("expected no filter after @me")) {
      _ = try SourceKind("github:@me?labels=bug")
    }
  }

  @Test("A list is given with one filter")
  func oneFilter() throws {
    var sources: [SourceKind] = []
    try sources.add(SourceKind("github:octo/tasks?labels=bug"))
    try sources.add(SourceKind("github:Octo/Tasks?labels=Bug"))
    #expect(sources.count == 1)
    #expect(throws: OptionError("expected one filter of github:octo/tasks")) {
      try sources.add(SourceKind("github:octo/tasks"))
    }
  }
}
