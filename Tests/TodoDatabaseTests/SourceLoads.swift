import TodoModel

@testable import TodoDatabase

extension SQLiteStore {
  /// Delivers issues as a source tells of changes.
  func deliver(_ issues: [Issue], to list: TodoListKey) throws(TodoError) {
    _ = try deliver(issues.map { RemoteItem($0) }, of: nil, to: list)
  }

  /// Delivers all that a source has: what is not among it leaves the list.
  func load(_ issues: [Issue], to list: TodoListKey) throws(TodoError) {
    let repository = RepositoryName("octo/tasks")!
    let address = GitHubAddress(repository: repository).remote
    let load = SourceLoad(generation: try beginLoad(of: list, from: address))
    _ = try deliver(issues.map { RemoteItem($0) }, of: load, to: list)
    try finishLoad(load.generation, of: list, at: .now)
  }
}
