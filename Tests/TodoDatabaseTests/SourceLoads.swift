import TodoModel

@testable import TodoDatabase

extension SQLiteStore {
  /// Merges issues as changes from a source.
  func mergeRemote(_ issues: [Issue], to list: TodoListKey) throws(TodoError) {
    if try remote(of: list).loadCount == 0 { _ = try beginLoad(of: list) }
    _ = try mergeRemote(issues.map { RemoteItem($0) }, of: nil, to: list)
  }

  /// Merges issues as a load of the whole list: other todos leave the list.
  func load(_ issues: [Issue], to list: TodoListKey) throws(TodoError) {
    let load = SourceLoad(id: try beginLoad(of: list))
    _ = try mergeRemote(issues.map { RemoteItem($0) }, of: load, to: list)
    try finishLoad(load.id, of: list, at: .now)
  }

  private func beginLoad(of list: TodoListKey) throws(TodoError) -> Int64 {
    let address = GitHubAddress(repository: RepositoryName("octo/tasks")!).remote
    return try beginLoad(of: list, from: address, storing: Issue.fields)
  }
}
