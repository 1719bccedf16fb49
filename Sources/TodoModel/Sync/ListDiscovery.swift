/// A task list that was found at a host.
package struct DiscoveredList: Hashable, Sendable {
  /// The name of the source that syncs this list.
  package var source: String
  /// The title of the list at the host; empty if it has none.
  package var title: String

  package init(source: String, title: String) { (self.source, self.title) = (source, title) }
}

/// A client that discovers the task lists of a user at a host.
package protocol ListDiscovery: Sendable {
  /// Requests the task lists from the host.
  ///
  /// - Throws: The errors of `TodoRemote.perform`; `notFound` if the user has no list at the host.
  func lists() async throws(TodoError) -> [DiscoveredList]

  /// Returns the source that syncs a discovered list; `nil` if the list is at another host.
  func source(of list: DiscoveredList) -> TodoSource?
}

extension TodoServices {
  /// Whether at least one source is a host whose task lists must be discovered.
  package var needsDiscovery: Bool { sources.contains { $0.listDiscovery != nil } }

  /// Returns services in which each source that is a whole host is replaced by sources for the
  /// user's task lists at that host.
  ///
  /// - Parameter isRepeated: Whether to repeat the discovery. With `false`, the lists recorded by
  ///   the last discovery are used, so that only the first login waits for the network. The
  ///   recorded lists are also used if the discovery fails. If it fails and no lists are recorded,
  ///   the host stays a source and shows the error.
  package func discovered(for profile: String, isRepeated: Bool = false) async -> TodoServices {
    guard needsDiscovery else { return self }
    var found: [TodoSource] = []
    for source in sources {
      guard let finder = source.listDiscovery else {
        found.append(source)
        continue
      }
      let host = TodoListKey(profile: profile, source: source.name)
      var lists = (try? store.journal?.discoveredLists(at: host)) ?? []
      if isRepeated || lists.isEmpty {
        lists = (try? await discover(finder, at: host)) ?? lists
      }
      let titles = Dictionary(grouping: lists, by: \.title)
      let opened = lists.compactMap { list in
        var source = finder.source(of: list)
        // If several lists have the same title, the title does not identify one of them.
        let isClear = !list.title.isEmpty && titles[list.title]?.count == 1
        source?.displayName = isClear ? list.title : nil
        return source
      }
      found += opened.isEmpty ? [source] : opened
    }
    var names: Set<String> = []
    return with(sources: found.filter { names.insert($0.name).inserted }, hasHosts: true)
  }

  /// Returns these services with the additional lists of `found`; `nil` if `found` has no
  /// additional list. Lists that no longer exist at their hosts are removed only at the next login,
  /// because operations on them may be in flight.
  package func extended(with found: TodoServices) -> TodoServices? {
    let known = Set(sources.map(\.name))
    let new = found.sources.filter { !known.contains($0.name) }
    return new.isEmpty ? nil : with(sources: sources + new)
  }

  private func discover(
    _ finder: any ListDiscovery, at host: TodoListKey
  ) async throws(TodoError) -> [DiscoveredList] {
    let lists = try await finder.lists()
    try store.journal?.record(lists, at: host)
    return lists
  }
}

/// The source for a host whose task lists could not be discovered. Each request repeats the
/// discovery. If the discovery fails again, the request fails with the error of the discovery, so
/// that the user sees the reason. If the discovery finds lists, the request still fails, because
/// these lists have sources of their own.
package struct UndiscoveredRemote: TodoRemote {
  package let address: RemoteAddress
  package let capabilities: RemoteCapabilities
  private let finder: any ListDiscovery

  package init(
    at address: RemoteAddress, _ capabilities: RemoteCapabilities, _ finder: any ListDiscovery
  ) {
    // Additions are refused, because none of the host's lists would contain the new todo.
    let view = RemoteView(key: "none", filter: nil, additions: .refused)
    self.address = RemoteAddress(
      kind: address.kind, baseURL: address.baseURL, place: address.place,
      description: address.description, view: view)
    (self.capabilities, self.finder) = (capabilities, finder)
  }

  package func perform(_ request: RemoteRequest) async throws(TodoError) -> RemoteAnswer {
    let count = try await finder.lists().count
    throw TodoError(
      .notFound, "\(count) \(count == 1 ? "list was" : "lists were") found beside this one.")
  }
}
