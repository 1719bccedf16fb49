import TodoModel

@testable import TodoDatabase

extension SQLiteStore {
  /// Merges issues as changes from a source.
  func deliver(_ issues: [Issue], to list: TodoListKey) throws(TodoError) {
    _ = try deliver(issues.map { RemoteItem($0) }, of: nil, to: list)
  }

  /// Merges issues as a load of the whole list: other todos leave the list.
  func load(_ issues: [Issue], to list: TodoListKey) throws(TodoError) {
    let repository = RepositoryName("octo/tasks")!
    let address = GitHubAddress(repository: repository).remote
    let load = SourceLoad(id: try beginLoad(of: list, from: address))
    _ = try deliver(issues.map { RemoteItem($0) }, of: load, to: list)
    try finishLoad(load.id, of: list, at: .now)
  }
}
