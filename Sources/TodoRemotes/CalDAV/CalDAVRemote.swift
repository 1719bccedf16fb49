import TodoModel

/// A source of todos that is a task list on a CalDAV server.
///
/// Each object with a VTODO is a todo. The name of the object is the key of the todo. The name of a
/// new object contains its UID. The UID is a hash of the `ItemMarker`, which identifies the request
/// that creates the object. Therefore, the object is found even if the response to this request was
/// lost.
///
/// All writes are conditional. A change of an object cannot overwrite another change, because the
/// header `If-Match` contains the ETag of the object. The creation of an object fails if the object
/// already exists, because the request contains the header `If-None-Match`.
///
/// Each process first requests all todos. It cannot continue from the token of an earlier process,
/// because some servers respond to an old token with all objects, and report no deletions.
///
/// Errors have the kinds that Protocol.md lists.
package struct CalDAVRemote: TodoRemote {
  package var address: RemoteAddress { place.remote }
  package var capabilities: RemoteCapabilities {
    var capabilities = RemoteCapabilities(fields: CalendarObject.fields)
    (capabilities.recognition, capabilities.removal) = (.key, .deletes)
    capabilities.details = [.remarks]
    (capabilities.changes, capabilities.hasConditionalWrites) = (.token, true)
    (capabilities.pollMilliseconds, capabilities.pushMilliseconds) = (10_000, 2_000)
    (capabilities.backgroundPollMilliseconds, capabilities.writePauseMilliseconds) = (300_000, 0)
    return capabilities
  }

  private let place: CalDAVAddress
  private let login: @Sendable () async -> CalDAVLogin?
  private let transport: any HTTPTransport
  private let clock: CalendarClock
  private let now: @Sendable () -> Timestamp
  private let memory = CalDAVMemory()

  /// Creates the source at an address.
  ///
  /// - Parameter login: Called before each request. Returns `nil` if there is no login.
  package init(
    _ address: CalDAVAddress, login: @escaping @Sendable () async -> CalDAVLogin?,
    transport: any HTTPTransport, clock: CalendarClock, now: @escaping @Sendable () -> Timestamp
  ) {
    place = address
    self.login = login
    self.transport = transport
    self.clock = clock
    self.now = now
  }

  package func perform(_ request: RemoteRequest) async throws(TodoError) -> RemoteAnswer {
    let call = CalDAVCall(client: try await client(), memory: memory, clock: clock)
    var answer = try await perform(request.kind, by: call)
    answer.isReadOnly = memory.isReadOnly
    return answer
  }

  private func perform(
    _ kind: RemoteRequest.Kind, by call: CalDAVCall
  ) async throws(TodoError) -> RemoteAnswer {
    switch kind {
    case .list, .newest: return try await call.list()
    case .page(let link): return try await call.page(link)
    case .access:
      _ = try await call.state()
      return RemoteAnswer(.items(RemotePage(items: [])))
    case .changes(let token, _): return try await call.changes(since: token)
    case .read(let key): return RemoteAnswer(.item(try await call.read(key)))
    case .create(let content, let marker):
      return RemoteAnswer(.item(try await call.create(content, marker)))
    case .change(let key, let content, let fields, _, let revision):
      return RemoteAnswer(.item(try await call.change(key, content, fields, revision)))
    case .remove(let key, let revision):
      try await call.remove(key, revision)
      return RemoteAnswer(.deleted)
    case .user, .changeLabel, .listLabels:
      throw TodoError(.invalidResponse, "A calendar server has no such request.")
    }
  }

  /// Returns facts about the server and the task list, which the command `doctor` prints.
  package func facts() async throws(TodoError) -> [String] {
    if place.path == nil {
      let found = try await hostDiscovery().lists()
      return found.map { list in
        "task list \(list.name)\(list.isReadOnly ? " (read only)" : "") at "
          + place.address(ofPath: list.path)
      }
    }
    let client = try await client()
    let list = try await CalDAVCall(client: client, memory: memory, clock: clock).state().list
    let hasTokens = list[DAV.reports]?.elements.contains(DAV.syncCollection) ?? false
    return [
      "task list \(list[DAV.displayName]?.text.trimmed ?? "") at \(client.url)",
      client.login.map { "password: from \($0.origin)" } ?? "password: none",
      list.isReadOnly ? "it can be read only" : "it can be read and changed",
      hasTokens ? "changes: by tokens (sync-collection)" : "changes: by comparing all ETags",
    ]
  }

  private func client() async throws(TodoError) -> CalDAVClient {
    let login = await login()
    let path = place.path ?? "/"
    guard let url = memory.address ?? HTTPURL("\(place.origin)\(path)") else {
      throw .validation([
        FieldProblem(field: "source", message: "A CalDAV source is \(CalDAVAddress.forms).")
      ])
    }
    let client = CalDAVClient(url: url, login: login, transport: transport, now: now)
    guard place.path == nil, memory.address == nil else { return client }
    let lists = try await CalDAVDiscovery(client: client).lists()
    let places = lists.map { place.address(ofPath: $0.path) }
    guard lists.count == 1, let found = HTTPURL("\(place.origin)\(lists[0].path)") else {
      throw TodoError(
        .validation, "Name one of the task lists as the source: \(places.joined(separator: " "))")
    }
    memory.address = found
    return CalDAVClient(url: found, login: login, transport: transport, now: now)
  }

  func hostDiscovery() async throws(TodoError) -> CalDAVDiscovery {
    guard let url = HTTPURL("\(place.origin)/") else {
      throw TodoError(.notFound, "\(place.origin) is not an address.")
    }
    return CalDAVDiscovery(
      client: CalDAVClient(url: url, login: await login(), transport: transport, now: now))
  }
}
