import Testing

@testable import TodoModel

@Suite("What a user can choose")
struct OptionsTests {
  @Test(
    "A store is memory, sqlite, sqlite:PATH or source",
    arguments: [
      ("memory", .memory), ("sqlite", .sqlite(path: nil)), ("source", .source),
      ("sqlite:/a b/c", .sqlite(path: "/a b/c")),
      ("sqlite:x:y", .sqlite(path: "x:y")), ("sqlite::memory:", .sqlite(path: ":memory:")),
    ] as [(String, StoreKind)])
  func stores(text: String, kind: StoreKind) throws {
    #expect(try StoreKind(text) == kind)
  }

  @Test(
    "Every other store is refused with what to write",
    arguments: [
      "", " memory", "Memory", "sqlite:", "sqlite3", "sqlite /a", "source:x", "postgres:x",
    ])
  func badStores(text: String) {
    #expect(throws: OptionError("expected memory, sqlite, sqlite:PATH or source")) {
      _ = try StoreKind(text)
    }
  }

  @Test(
    "A source is local or github:OWNER/REPO",
    arguments: [
      ("local", .local), ("github:octo/tasks", .github(Self.issues("octo/tasks"))),
      ("github:A-1_x.y/.dot", .github(Self.issues("A-1_x.y/.dot"))),
      ("github:@me", .github(.assigned)),
      (
        "github:git.example.org/@me",
        .remote(GitHubAddress(baseURL: "https://git.example.org/api/v3", issues: .assigned))
      ),
    ] as [(String, SourceKind)])
  func sources(text: String, kind: SourceKind) throws {
    let source = try SourceKind(text)
    #expect(source == kind)
    #expect(source.text == text)
  }

  private static func issues(_ repository: String) -> IssueSelection {
    .repository(RepositoryName(repository)!, IssueFilter())
  }

  @Test(
    "Every other source is refused with what to write",
    arguments: [
      "", "Local", "github", "github:", "github:octo", "github:octo/", "github:/tasks",
      "github:octo/tasks/x", "github:octo/..", "github:./tasks", "github:octo//tasks",
      "github:octo/ta sks", "github:octo/@me", "github:octo/tasks/@me", "github:@you",
      "github:octo/täsks", "github:octo/%2e",
      "gitlab:octo/tasks", "github:octo/tasks\n",
    ])
  func badSources(text: String) {
    #expect(throws: OptionError("expected local or github:OWNER/REPO")) {
      _ = try SourceKind(text)
    }
  }

  @Test("Without a choice: SQLite at its place, the local source")
  func defaults() {
    let options = ServerOptions()
    #expect(options.store == .sqlite(path: nil))
    #expect(options.sources == [.local])
    #expect(options.githubURL == nil)
    #expect(options.registerURL == nil)
  }
}
