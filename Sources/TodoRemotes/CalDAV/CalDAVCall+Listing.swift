import TodoModel

/// The listing of all todos.
///
/// One request lists all objects with their data. Separate requests for ETags and for objects would
/// make the server read each object twice. The todos are returned in pages, so the data of an
/// object stays in memory until the page with its todo is requested. An object is not in memory if
/// the response did not contain its data, or if the object was added or changed later. Such an
/// object is requested by its name.
///
/// The link to a page is `after:ID/NAME`: the ID of the listing, and the last name on the preceding
/// page. The link to the first page is `after:ID`.
extension CalDAVCall {
  private static let pagePrefix = "after:"

  /// Returns the first page of all todos.
  func list() async throws(TodoError) -> RemoteAnswer {
    let (list, date) = try await state()
    // The token is older than the listing, so changes made meanwhile are reported again.
    let token = list[DAV.syncToken]?.text.trimmed
    let cursor = memory.keep(try await listing())
    return try await page(
      after: nil, PageLink(url: Self.pagePrefix + memory.listingID),
      cursor: token.flatMap { $0.isEmpty ? nil : $0 } ?? cursor, date)
  }

  func page(_ link: PageLink) async throws(TodoError) -> RemoteAnswer {
    guard link.url.hasPrefix(Self.pagePrefix) else {
      throw TodoError(.invalidResponse, "The source has no such page.")
    }
    let parts = link.url.dropFirst(Self.pagePrefix.utf8.count).split(separator: "/", maxSplits: 1)
    // Another process may have started this load, after the last listing of this process.
    if parts.count < 2 || parts[0] != memory.listingID { _ = memory.keep(try await listing()) }
    return try await page(after: parts.last.map(String.init), link, cursor: nil, nil)
  }

  private func page(
    after name: String?, _ link: PageLink, cursor: String?, _ date: Timestamp?
  ) async throws(TodoError) -> RemoteAnswer {
    let part = memory.names(after: name, limit: Self.pageSize)
    var page = RemotePage(items: try await items(ofPage: part.names), cursor: cursor, date: date)
    if part.hasMore, let last = part.names.last {
      page.next = try link.next("\(Self.pagePrefix)\(memory.listingID)/\(last)")
    }
    page.pageCount = max(1, (part.total + Self.pageSize - 1) / Self.pageSize)
    page.isFull = page.next != nil
    return RemoteAnswer(.items(page))
  }

  private func items(ofPage names: [String]) async throws(TodoError) -> [RemoteItem] {
    let listed = memory.popListed(names)
    let resources = names.compactMap { name in listed[name].map { (name: name, resource: $0) } }
    let known = try items(of: resources, as: [])
    return known.items + (try await items(names.filter { listed[$0] == nil }).items)
  }

  /// Returns all todos by name, with their data if the server sends it.
  private func listing() async throws(TodoError) -> [String: Multistatus.Resource] {
    let answer: Multistatus
    do throws(TodoError) {
      answer = try await resources(withData: true)
    } catch {
      // The response may be too large, or one object may break it.
      guard [.invalidResponse, .server, .timeout].contains(error.kind) else { throw error }
      answer = try await resources(withData: false)
    }
    return try resources(of: answer)
  }

  /// Returns the names of all todos and their ETags.
  func etags() async throws(TodoError) -> [String: String] {
    try resources(of: try await resources(withData: false)).mapValues { $0.etag ?? "" }
  }

  private func resources(withData: Bool) async throws(TodoError) -> Multistatus {
    try await client.properties(
      "REPORT", client.url, depth: 1, CalDAVBody.todos(withData: withData)
    ).status
  }

  private func resources(
    of answer: Multistatus
  ) throws(TodoError) -> [String: Multistatus.Resource] {
    var resources: [String: Multistatus.Resource] = [:]
    for resource in answer.resources where resource.status == nil || resource.status == 200 {
      if let name = try client.name(at: resource.href) { resources[name] = resource }
    }
    return resources
  }
}
