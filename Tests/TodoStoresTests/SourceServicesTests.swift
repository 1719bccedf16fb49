import TestSupport
import Testing
import TodoModel
import TodoRemotes

@testable import TodoStores

/// Tests the services of `--store source`.
@Suite struct SourceServicesTests {
  private let folder = TemporaryFolder()

  private func open(_ sources: [String], at url: String = "http://127.0.0.1:9") throws
    -> TodoServices
  {
    var options = ServerOptions()
    options.store = .source
    options.sources = try sources.map { try SourceKind($0) }
    options.githubURL = url
    return try TodoServices.open(
      options, dataFolder: folder.path, token: nil, transport: CurlTransport(),
      environment: .counting())
  }

  @Test func listIsNotStoredOnThisMachine() async throws {
    let github = GitHubServer(pageSize: 2)
    let services = try open(["github:octo/tasks"], at: github.url)
    let list = TodoListKey(profile: "ann", source: "github:octo/tasks")
    let todo = try await services.store.add(
      NewTodo(title: "Plan of the house", note: "behind the shed"), to: list)
    _ = try await services.store.todos(TodoQuery(), in: list)
    _ = try await services.store.edit(todo.id, TodoEdit(title: "Plan of the garden"), in: list)
    for name in FileTree.names(in: folder.path) {
      let text = String(
        decoding: RecordedResponse.bytes(of: folder.path(name)) ?? [], as: UTF8.self)
      for word in ["Plan of", "behind", "octo"] { #expect(!text.contains(word), "\(name)") }
    }
  }

  @Test func capabilitiesAreThoseOfARequest() throws {
    let services = try open(["github:octo/tasks"])
    #expect(services.sources.map(\.wireName) == ["github:octo/tasks"])
    #expect(services.sync == nil)
    let store = services.store
    let offered: [Any?] = [
      store.localReads, store.backgroundReads, store.history, store.journal, store.documents,
      store.exchange, store.sharedFile,
    ]
    #expect(offered.allSatisfy { $0 == nil })
  }

  @Test(arguments: [["local"], [], ["github:octo/tasks", "github:octo/other"]])
  func otherNumberOfSourcesIsRefused(sources: [String]) {
    let error = #expect(throws: TodoError.self) { try open(sources) }
    #expect(error?.kind == .validation)
    #expect(
      error?.message
        == "The store source needs exactly one source on the network, such as github:OWNER/REPO.")
  }
}
