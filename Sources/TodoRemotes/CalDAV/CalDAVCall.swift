import TodoModel

/// The HTTP requests that perform one `RemoteRequest` for a task list.
struct CalDAVCall {
  let client: CalDAVClient
  let memory: CalDAVMemory
  let clock: CalendarClock

  /// The maximum number of objects in one request or on one page.
  static let pageSize = 250
  private static let etagsPrefix = "etags:"

  // MARK: Reading the list

  /// Requests the properties of the task list.
  ///
  /// - Throws: `invalidResponse` if the URL does not belong to a list for todos.
  func state() async throws(TodoError) -> (list: Multistatus.Resource, date: Timestamp?) {
    let (answer, response) = try await client.properties(
      "PROPFIND", client.url, depth: 0, CalDAVBody.list)
    guard let list = answer.resources.first,
      list[DAV.resourceType]?.elements.contains(DAV.calendar) ?? false
    else {
      throw TodoError(
        .invalidResponse, "\(client.url) is not a task list. Check the URL of the source.")
    }
    let components = list[DAV.components]?.names ?? []
    guard components.isEmpty || components.contains("VTODO") else {
      throw TodoError(.invalidResponse, "\(client.url) is a calendar without todos.")
    }
    memory.isReadOnly = list.isReadOnly
    return (list, response.date)
  }

  /// Returns the todos with the given names, and those names for which there is no todo.
  func items(
    _ names: [String]
  ) async throws(TodoError) -> (items: [RemoteItem], missing: [String]) {
    var (items, missing): ([RemoteItem], [String]) = ([], [])
    var parts = names.isEmpty ? [] : [names[...]]
    var failureCount = 0
    while let part = parts.popLast() {
      do throws(TodoError) {
        let found = try await objects(part)
        items += found.items
        missing += found.missing
      } catch {
        failureCount += 1
        guard error.kind == .invalidResponse, failureCount <= Self.failuresMax else { throw error }
        if part.count == 1 {
          items.append(try unreadable(part[part.startIndex], "its response is too large or broken"))
        } else {
          let middle = part.startIndex + part.count / 2
          parts += [part[middle...], part[..<middle]]
        }
      }
    }
    return (items, missing)
  }

  /// The maximum number of failed requests while todos are read by their names. After a failure,
  /// the names of the request are requested again, in two halves. If the maximum is exceeded, the
  /// fault is in the server, and not only in single objects.
  private static let failuresMax = 32

  private func objects(
    _ names: ArraySlice<String>
  ) async throws(TodoError) -> (items: [RemoteItem], missing: [String]) {
    var paths: [String] = []
    for name in names { paths.append(try client.path(of: name)) }
    let answer = try await client.properties(
      "REPORT", client.url, depth: 1, CalDAVBody.objects(paths)
    ).status
    var found: [(name: String, resource: Multistatus.Resource)] = []
    for resource in answer.resources {
      if let name = try client.name(at: resource.href) { found.append((name, resource)) }
    }
    return try items(of: found, as: Array(names))
  }

  /// Returns the todos for all resources that contain data. Also returns the elements of `names`
  /// for which no resource contains a todo.
  func items(
    of resources: [(name: String, resource: Multistatus.Resource)], as names: [String]
  ) throws(TodoError) -> (items: [RemoteItem], missing: [String]) {
    var items: [RemoteItem] = []
    var objects: [CalDAVObject] = []
    var found: Set<String> = []
    for (name, resource) in resources {
      guard let data = resource[DAV.calendarData], found.insert(name).inserted else { continue }
      do throws(CalendarObject.Problem) {
        guard !data.isCut else { throw .unreadable("it is too large") }
        let object = try CalendarObject(data.bytes)
        memory.keep(title: object.title, ofUID: object.uid)
        objects.append(CalDAVObject(name: name, etag: resource.etag ?? "", object: object))
      } catch {
        switch error {
        case .notTodo: found.remove(name)
        case .unreadable(let reason):
          items.append(try unreadable(name, reason, etag: resource.etag))
        }
      }
    }
    return (items + objects.map(item), names.filter { !found.contains($0) })
  }

  // MARK: Changes

  /// Returns the changes since a token. The token is from the server, or it stands for the ETags in
  /// `memory`.
  func changes(since token: String) async throws(TodoError) -> RemoteAnswer {
    // The response to a request for changes does not contain the user's permissions.
    if memory.isReadOnly == true { _ = try await state() }
    guard let known = memory.etags else {
      throw TodoError(.validation, "Nothing was listed yet in this process.")
    }
    if token.hasPrefix(Self.etagsPrefix) {
      return try await changes(from: known, token)
    }
    let (answer, response): (Multistatus, HTTPResponse)
    do throws(TodoError) {
      (answer, response) = try await client.properties(
        "REPORT", client.url, depth: 0, CalDAVBody.changes(since: token))
    } catch {
      // The server no longer knows the token.
      let isRefused = [.conflict, .forbidden].contains(error.kind) || error.status == 400
      throw isRefused ? TodoError(.validation, error.message, status: error.status) : error
    }
    var (changed, deleted): ([String], [String]) = ([], [])
    for resource in answer.resources where resource.status != 507 {
      guard let name = try client.name(at: resource.href) else { continue }
      if resource.status == 404 { deleted.append(name) } else { changed.append(name) }
    }
    let cursor = answer.syncToken ?? token
    if changed.isEmpty, deleted.isEmpty, cursor == token { return RemoteAnswer(.notModified) }
    var page = try await page(of: changed, deleted: deleted, cursor: cursor)
    page.isFull = answer.isCut
    page.date = response.date
    return RemoteAnswer(.items(page))
  }

  private func changes(
    from known: [String: String], _ token: String
  ) async throws(TodoError) -> RemoteAnswer {
    guard token == memory.etagsToken else {
      throw TodoError(.validation, "These ETags are of another process.")
    }
    let etags = try await etags()
    let changed = etags.filter { known[$0.key] != $0.value }.keys.sorted()
    let deleted = known.keys.filter { etags[$0] == nil }.sorted()
    if changed.isEmpty, deleted.isEmpty { return RemoteAnswer(.notModified) }
    let page = try await page(of: changed, deleted: deleted, cursor: "")
    var complete = page
    complete.cursor = memory.keep(etags)
    return RemoteAnswer(.items(complete))
  }

  private func page(
    of changed: [String], deleted: [String], cursor: String
  ) async throws(TodoError) -> RemotePage {
    var items: [RemoteItem] = []
    var deleted = deleted
    var rest = changed[...]
    while !rest.isEmpty {
      let part = try await self.items(Array(rest.prefix(Self.pageSize)))
      items += part.items
      deleted += part.missing
      rest = rest.dropFirst(Self.pageSize)
    }
    var page = RemotePage(items: items, cursor: cursor)
    page.deleted = deleted
    return page
  }
}

// MARK: Items

extension CalDAVCall {
  func item(_ found: CalDAVObject) -> RemoteItem {
    let object = found.object
    let created = object.createdAt
    var item = RemoteItem(
      key: found.name, url: "\(client.url)\(URLText.encoded(found.name))",
      content: object.content(by: clock), fields: object.readableFields,
      order: RemoteItem.order(ofNumber: created?.milliseconds ?? 0),
      revision: found.etag.isEmpty ? nil : found.etag, createdAt: created,
      updatedAt: object.updatedAt)
    item.marker = Self.marker(of: object)
    item.details = SourceDetails(remarks: remarks(of: object))
    return item
  }

  /// Returns remarks on a todo: one if it repeats, and one if it is a sub-task of another todo.
  private func remarks(of object: CalendarObject) -> [String] {
    let parent = object.parentUID.map { uid in
      memory.title(ofUID: uid).map { "part of \($0)" } ?? "sub-task"
    }
    return [object.isRepeating ? "repeats" : nil, parent].compactMap(\.self)
  }

  /// Returns an item for an object that cannot be read. The title of the item contains the reason.
  /// Users cannot change the item.
  private func unreadable(
    _ name: String, _ reason: String, etag: String? = nil
  ) throws(TodoError) -> RemoteItem {
    RemoteItem(
      key: name, url: try client.url(of: name).description,
      content: TodoContent(title: "(cannot be read: \(reason))"), fields: [],
      order: RemoteItem.orderMax, revision: etag)
  }
}
