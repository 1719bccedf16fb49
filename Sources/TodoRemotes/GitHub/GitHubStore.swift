import JSONRPC
import TodoModel

/// Todos that live at GitHub alone, as the issues of one repository.
///
/// A todo is an issue: its title, its body, and whether it is closed. A removed todo is an issue
/// that is closed as not planned, because issues cannot be deleted. The id is the issue's number.
///
/// The version is a fingerprint of title, body and state (53 bits of FNV-1a, exact in every
/// JSON reader): it changes when they do and not when someone comments, unlike `updated_at`. It
/// does not grow, and no earlier content can be had for it. GitHub has no conditional write, so a
/// change between the comparison and the write that follows it is not noticed.
package struct GitHubStore: TodoStore {
  private let issues: GitHubIssues
  private let environment: Environment

  /// Throws `validation` as `GitHubIssues` does.
  package init(
    repository: String, baseURL: String = GitHubIssues.defaultURL, token: Secret?,
    transport: any HTTPTransport, environment: Environment
  ) throws(TodoError) {
    issues = try GitHubIssues(
      repository: repository, baseURL: baseURL, token: token, transport: transport,
      now: environment.now)
    self.environment = environment
  }

  // MARK: Reading

  /// Loads all pages and answers from them, as a store in memory does.
  package func todos(
    _ query: TodoQuery, in list: TodoListKey
  ) async throws(TodoError) -> TodoPage<Todo> {
    var todos: [Todo] = []
    var link: PageLink? = try issues.firstPage(state: "all")
    while let page = link {
      let (elements, next, _) = try await issues.entries(at: page)
      todos += elements.filter { !$0.isNotPlanned }.map { todo($0.issue) }
      link = next
    }
    return query.page(of: todos)
  }

  package func todo(_ id: TodoID, in list: TodoListKey) async throws(TodoError) -> Todo {
    let (_, json) = try await issues.client.json("GET", await url(of: id))
    return try await todo(json)
  }

  // MARK: Changing

  package func add(_ draft: TodoDraft, to list: TodoListKey) async throws(TodoError) -> Todo {
    let body = GitHubIssue.members(of: draft.content, ContentField.setOnAdd, nil)
    let (_, json) = try await issues.client.json(
      "POST", await issues.client.url("issues"), body: body)
    return try await todo(json)
  }

  package func edit(
    _ id: TodoID, _ edit: TodoEdit, in list: TodoListKey
  ) async throws(TodoError) -> Todo {
    let before = try await todo(id, in: list)
    let content = edit.applied(to: before.content)
    try check(edit.expectedVersion, of: before, mine: content)
    let fields = content.fields(differingFrom: before.content)
    let changes = GitHubIssue.members(of: content, fields, nil)
    guard !changes.isEmpty else { return before }
    let (_, json) = try await issues.client.json("PATCH", await url(of: id), body: changes)
    return try await todo(json)
  }

  package func remove(
    _ id: TodoID, expectedVersion: Int64?, in list: TodoListKey
  ) async throws(TodoError) {
    let before = try await todo(id, in: list)
    try check(expectedVersion, of: before, mine: before.content)
    let changes: JSONObject = ["state": "closed", "state_reason": "not_planned"]
    _ = try await issues.client.json("PATCH", await url(of: id), body: changes)
  }

  private func check(
    _ version: Int64?, of todo: Todo, mine: TodoContent
  ) throws(TodoError) {
    guard let version, version != todo.version else { return }
    throw .conflict(
      TodoConflict(base: nil, mine: mine, theirs: todo.content, theirVersion: todo.version))
  }

  private func url(of id: TodoID) async throws(TodoError) -> HTTPURL {
    guard let number = Int64(id.text), number > 0 else { throw .todoNotFound }
    return try await issues.client.url("issues/\(number)")
  }

  /// Throws `notFound` for an issue that is no todo, or one no longer.
  private func todo(_ json: JSON) async throws(TodoError) -> Todo {
    let entry = try GitHubIssue(json, from: await issues.client, status: 200)
    guard !entry.isPullRequest, !entry.isNotPlanned else { throw .todoNotFound }
    return todo(entry.issue)
  }

  private func todo(_ issue: Issue) -> Todo {
    let now = environment.now()
    let content = TodoContent(issue)
    return Todo(
      id: TodoID(String(issue.number)), content: content, version: content.fingerprint,
      createdAt: issue.createdAt ?? now, updatedAt: issue.updatedAt ?? now,
      origin: TodoOrigin(url: issue.url, number: issue.number), sync: .synced)
  }
}

extension TodoContent {
  /// 53 bits that differ when the content does (FNV-1a), never zero.
  var fingerprint: Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    title.utf8.forEach(mix)
    // No text in UTF-8 has this byte, so it parts the two.
    mix(0xFF)
    note.utf8.forEach(mix)
    mix(isDone ? 1 : 0)
    return Int64(max(1, hash >> 11))
  }
}
