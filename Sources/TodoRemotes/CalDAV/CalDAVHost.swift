import TodoModel

/// A client that discovers the task lists of a user on a CalDAV server.
package struct CalDAVHost: ListDiscovery {
  private let address: CalDAVAddress
  private let remote: @Sendable (CalDAVAddress) -> CalDAVRemote
  private let hostRemote: CalDAVRemote

  /// Creates an object that finds the task lists of a server.
  ///
  /// - Parameter remote: Returns the client for the address of a task list or of the server.
  package init(
    _ address: CalDAVAddress, remote: @escaping @Sendable (CalDAVAddress) -> CalDAVRemote
  ) {
    (self.address, self.remote) = (address, remote)
    hostRemote = remote(address)
  }

  package func lists() async throws(TodoError) -> [DiscoveredList] {
    try await hostRemote.hostDiscovery().lists().map { list in
      DiscoveredList(source: address.address(ofPath: list.path), title: list.name)
    }
  }

  package func source(of list: DiscoveredList) -> TodoSource? {
    guard let place = CalDAVAddress(list.source), place.origin == address.origin,
      place.user == address.user, place.path != nil
    else { return nil }
    return TodoSource(name: place.description, remote: remote(place))
  }

  /// The source that stands for the server until its task lists are discovered.
  package var source: TodoSource {
    let remote = UndiscoveredRemote(at: address.remote, hostRemote.capabilities, self)
    var source = TodoSource(name: address.description, remote: remote)
    source.listDiscovery = self
    return source
  }
}
