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
      ("local", .local), ("github:octo/tasks", .github(repository: "octo/tasks")),
      ("github:A-1_x.y/.dot", .github(repository: "A-1_x.y/.dot")),
    ] as [(String, SourceKind)])
  func sources(text: String, kind: SourceKind) throws {
    #expect(try SourceKind(text) == kind)
  }

  @Test(
    "Every other source is refused with what to write",
    arguments: [
      "", "Local", "github", "github:", "github:octo", "github:octo/", "github:/tasks",
      "github:octo/tasks/x", "github:octo/..", "github:./tasks", "github:octo//tasks",
      "github:octo/ta sks", "github:octo/tasks?x=1", "github:octo/täsks", "github:octo/%2e",
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
