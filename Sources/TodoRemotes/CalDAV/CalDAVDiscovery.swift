import TodoModel

/// The discovery of a user's task lists (RFC 6764). The host refers to the user's principal, which
/// refers to the calendar home. The home contains the lists. All these addresses must have the same
/// origin.
struct CalDAVDiscovery {
  /// A client whose URL is the root of the host.
  let client: CalDAVClient

  /// A task list that was found at the host.
  struct TaskList: Sendable, Equatable {
    var path: String
    var name: String
    var isReadOnly: Bool
  }

  /// Returns the task lists of the user, sorted by their paths.
  ///
  /// - Throws: `notFound` if there are none.
  func lists() async throws(TodoError) -> [TaskList] {
    let start = try await properties("/.well-known/caldav", CalDAVBody.principal, mayMove: true)
    var principal = start[DAV.principal]?.hrefs.first
    if principal == nil {
      principal = try await properties("/", CalDAVBody.principal, mayMove: true)[DAV.principal]?
        .hrefs.first
    }
    guard let principal else {
      throw TodoError(
        .unauthorized,
        client.login.map { "The server does not accept the login (from \($0.origin))." }
          ?? "The server needs a password. \(CalDAVPassword.advice)")
    }
    guard
      let home = try await properties(principal, CalDAVBody.homeSet)[DAV.homeSet]?.hrefs.first
    else { throw TodoError(.notFound, "The server has no calendars of this user.") }
    let answer = try await client.properties(
      "PROPFIND", try url(home), depth: 1, CalDAVBody.list
    ).status
    var lists: [TaskList] = []
    for resource in answer.resources {
      guard resource[DAV.resourceType]?.elements.contains(DAV.calendar) ?? false else { continue }
      let components = resource[DAV.components]?.names ?? []
      guard components.isEmpty || components.contains("VTODO") else { continue }
      let path = String(try client.path(ofHref: resource.href))
      lists.append(
        TaskList(
          path: path, name: resource[DAV.displayName]?.text.trimmed ?? path,
          isReadOnly: resource.isReadOnly))
    }
    guard !lists.isEmpty else {
      throw TodoError(.notFound, "\(client.url.host) has no task list of this user.")
    }
    return lists.sorted { $0.path < $1.path }
  }

  private func url(_ href: String) throws(TodoError) -> HTTPURL {
    let origin = client.url.description.dropLast(client.url.target.utf8.count)
    guard let url = HTTPURL("\(origin)\(try client.path(ofHref: href))") else {
      throw TodoError(.invalidResponse, "The server names an address that cannot be used.")
    }
    return url
  }

  /// Requests the properties of one resource.
  ///
  /// - Parameter mayMove: Whether to follow one redirect within the same origin.
  private func properties(
    _ href: String, _ body: String, mayMove: Bool = false
  ) async throws(TodoError) -> Multistatus.Resource {
    let url = try url(href)
    do throws(TodoError) {
      return try await client.properties("PROPFIND", url, depth: 0, body).status.resources.first
        ?? Multistatus.Resource()
    } catch {
      guard mayMove, let status = error.status else { throw error }
      if status == 404 || status == 405 { return Multistatus.Resource() }
      guard [301, 302, 307, 308].contains(status) else { throw error }
      return try await properties(try await target(of: url), body)
    }
  }

  /// Returns the path to which the server redirects a request.
  private func target(of url: HTTPURL) async throws(TodoError) -> String {
    let response = try await client.send("PROPFIND", url, headers: [HTTPHeader("Depth", "0")])
    guard let location = response.value(of: "Location"), let target = url.resolving(location),
      target.hasSameOrigin(as: url)
    else {
      throw TodoError(
        .invalidResponse,
        "\(url.host) redirects to another host. The password is not sent there: "
          + "name that host in the source.", status: response.status)
    }
    return String(target.path)
  }
}

extension Multistatus.Resource {
  /// Whether the user can read the objects in the list, but not change them. If the server reports
  /// no privileges, the list counts as writable.
  var isReadOnly: Bool {
    guard let privileges = self[DAV.privileges]?.elements, !privileges.isEmpty else { return false }
    return privileges.isDisjoint(with: ["DAV: all", "DAV: write", "DAV: write-content"])
  }
}
