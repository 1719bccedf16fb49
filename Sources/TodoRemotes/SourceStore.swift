import Synchronization
import TodoModel

/// A store without local data: the todos exist only at their source, such as a GitHub repository.
///
/// ```swift
/// let store = SourceStore(over: remote, environment: .live)
/// let todo = try await store.todo(TodoID("7"), in: list)
/// ```
///
/// Each read and each change is a request; if the request fails, so does the call. A todo is an
/// item of the source, and its id is the key of the item. A removed todo is an item that was
/// deleted or, at GitHub, closed as not planned. All users have the same list.
///
/// The version of a todo is a hash of its content (53 bits of FNV-1a, which every JSON reader can
/// represent). It changes only if the content changes, and a later version is not always greater.
/// Earlier content is not stored, so a conflict has no base. A change by another user between the
/// version check and the write is not detected.
package final class SourceStore: TodoStore {
  private let remote: any TodoRemote
  private let environment: Environment
  private let host = Mutex(Host())

  /// The parts of earlier responses that later requests depend on: a redirect and a rate limit.
  private struct Host {
    /// The path of the source after a permanent redirect, in the source's spelling; `nil`
    /// without a redirect.
    var path: String?
    /// The time at which a rate limit ends; `nil` without a limit.
    var nextRequestAt: Timestamp?
  }

  package init(over remote: any TodoRemote, environment: Environment) {
    self.remote = remote
    self.environment = environment
  }

  package var days: DayClock { environment.days }

  // MARK: Reading

  package func todos(
    _ query: TodoQuery, in list: TodoListKey
  ) async throws(TodoError) -> TodoPage<Todo> {
    try await loaded(list).todos(query, in: list)
  }

  /// Loads all pages, and returns their todos.
  package func loaded(_ list: TodoListKey) async throws(TodoError) -> any LocalReads {
    var items: [RemoteItem] = []
    var keys: Set<String> = []
    var circle = RepeatedPageDetector()
    var next: RemoteRequest? = RemoteRequest(.newest)
    while let request = next {
      guard case .items(let page) = try await perform(request) else {
        throw Self.unexpectedResponse
      }
      // If an item is added while the pages are loaded, the last item of a page is repeated on the
      // next page.
      items += page.items.filter {
        keys.insert($0.key).inserted && !$0.isRemoved && $0.isInView
      }
      try circle.check(page)
      next = page.next.map { RemoteRequest(.page($0)) }
    }
    return LoadedTodos(items.sorted { $0.order < $1.order }.map(todo), days: days)
  }

  package func todo(_ id: TodoID, in list: TodoListKey) async throws(TodoError) -> Todo {
    todo(try await item(id))
  }

  private func item(_ id: TodoID) async throws(TodoError) -> RemoteItem {
    let item = try await item(after: RemoteRequest(.read(key: id.text)))
    guard !item.isRemoved else { throw .todoNotFound }
    return item
  }

  // MARK: Changing

  package func add(_ draft: NewTodo, to list: TodoListKey) async throws(TodoError) -> Todo {
    var content = draft.content
    if let view = remote.address.view {
      guard view.acceptsNew else { throw .addingRefused }
      content.labels = content.labels.union(view.labels)
    }
    try check(content)
    let item = try await item(after: RemoteRequest(.create(content, marker: nil)))
    if item.isIncomplete { throw .requirementsRefused }
    // If the source has not accepted some labels, the returned todo does not have them.
    let rest = content.fields(differingFrom: item.content).filter { !$0.traits.isSetOnAdd }
    guard !rest.isEmpty else { return todo(item) }
    return todo(try await change(item, to: content, rest))
  }

  package func edit(
    _ id: TodoID, _ edit: TodoEdit, in list: TodoListKey
  ) async throws(TodoError) -> Todo {
    try check(try edit.appending(to: edit.applied(to: TodoContent())))
    let before = try await item(id)
    // An edit that is already applied, because only its response was lost, causes no conflict.
    let merge = Merge(base: nil, edit: edit, theirs: before.content)
    if merge.content == nil { try check(edit.expectedVersion, merge) }
    let content = try edit.appending(to: merge.mine)
    let fields = content.fields(differingFrom: before.content)
    guard !fields.isEmpty else { return todo(before) }
    return todo(try await change(before, to: content, fields))
  }

  package func remove(
    _ id: TodoID, expectedVersion: Int64?, in list: TodoListKey
  ) async throws(TodoError) {
    let content = try await item(id).content
    try check(expectedVersion, Merge(base: nil, mine: content, theirs: content))
    switch try await perform(RemoteRequest(.remove(key: id.text))) {
    case .item, .deleted: break
    case .items, .notModified, .labels, .user, .labelPage: throw Self.unexpectedResponse
    }
  }

  private func change(
    _ item: RemoteItem, to content: TodoContent, _ fields: [ContentField]
  ) async throws(TodoError) -> RemoteItem {
    guard remote.capabilities.changesLabelsSingly, fields.contains(.labels) else {
      return try await self.item(
        after: RemoteRequest(
          .change(key: item.key, content, fields: fields, marker: item.marker)))
    }
    let others = fields.filter { $0 != .labels }
    var after = others.isEmpty ? item : try await change(item, to: content, others)
    let (old, new) = (item.content.labels, content.labels)
    let changes =
      old.subtracting(new).texts.map { LabelChange(label: $0, isAdded: false) }
      + new.subtracting(old).texts.map { LabelChange(label: $0, isAdded: true) }
    for change in changes {
      let request = RemoteRequest(.changeLabel(key: item.key, change))
      guard case .labels(let labels) = try await perform(request) else {
        throw Self.unexpectedResponse
      }
      guard change.isApplied(in: labels) else { throw TodoError.labelsRefused }
      after.content.labels = labels
    }
    return after
  }

  private func check(_ version: Int64?, _ merge: Merge) throws(TodoError) {
    let theirVersion = merge.theirs.fingerprint
    guard let version, version != theirVersion else { return }
    throw .conflict(TodoConflict(merge, theirVersion: theirVersion))
  }

  /// Checks that the source can store all values. Throws `validation` if it cannot.
  private func check(_ content: TodoContent) throws(TodoError) {
    let fields = content.fields(differingFrom: TodoContent())
    let problems = fields.filter { !remote.capabilities.fields.contains($0) }.map { field in
      FieldProblem(
        field: field.rawValue,
        message: "\(remote.address) cannot store the field \(field.rawValue).")
    }
    if !problems.isEmpty { throw .validation(problems) }
    try remote.capabilities.limits.check(FieldChanges(content, fields: ContentFieldSet(fields)))
  }

  // MARK: Requests

  private func item(after request: RemoteRequest) async throws(TodoError) -> RemoteItem {
    guard case .item(let item) = try await perform(request) else { throw Self.unexpectedResponse }
    return item
  }

  private func perform(_ request: RemoteRequest) async throws(TodoError) -> RemoteAnswer.Body {
    let host = self.host.withLock { $0 }
    var request = request
    request.path = host.path
    if let instant = host.nextRequestAt, environment.now() < instant {
      throw TodoError(
        .rateLimited, "The source allows the next request at \(instant).", retryAt: instant)
    }
    do throws(TodoError) {
      let answer = try await remote.perform(request)
      self.host.withLock { host in
        host.path = answer.movedTo ?? host.path
        host.nextRequestAt = answer.nextRequestAt.map { limitEnd($0) }
      }
      return answer.body
    } catch {
      if error.kind == .rateLimited {
        self.host.withLock { $0.nextRequestAt = error.retryAt.map { limitEnd($0) } }
      }
      throw error
    }
  }

  private func limitEnd(_ instant: Timestamp) -> Timestamp {
    SyncEngine.limitEnd(instant, at: environment.now())
  }

  private static let unexpectedResponse = TodoError(
    .invalidResponse, "The source answered another request.")

  private func todo(_ item: RemoteItem) -> Todo {
    let now = environment.now()
    return Todo(
      id: TodoID(item.key), content: item.content, version: item.content.fingerprint,
      createdAt: item.createdAt ?? now, updatedAt: item.updatedAt ?? now,
      origin: TodoOrigin(url: item.url, key: item.key, details: item.details), sync: .synced)
  }
}

extension TodoContent {
  /// A hash of the content: 53 bits of FNV-1a, never zero.
  var fingerprint: Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    func mix(_ text: String) {
      var (text, sum) = (text, hash)
      text.withUTF8 { bytes in
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
      }
      hash = sum
    }
    for field in ContentField.allCases {
      guard let value = self[field] else { continue }
      // Bytes from 0xF8 never occur in UTF-8, so they can separate the fields.
      if field.isOptional {
        mix(0xF8)
        mix(UInt8(field.index))
      }
      switch value {
      case .text(let text): mix(text)
      case .flag(let flag): mix(flag ? 1 : 0)
      case .texts(let texts):
        for text in texts {
          mix(text)
          mix(0xFE)
        }
      }
      mix(0xFF)
    }
    return Int64(max(1, hash >> 11))
  }
}
