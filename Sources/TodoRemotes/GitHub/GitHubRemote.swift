import JSONRPC
import TodoModel

/// The issues of a repository as a source of todos, for both ways.
///
/// An issue is a todo: its title, its body without the marker, its labels, and whether it is closed. A created
/// issue has a marker, `<!-- todo-server:MARKER -->`, as the last line of its body.
///
/// Throws the kinds that Protocol.md lists. A redirect is followed below the base URL only, with the
/// method and the body; where it is permanent, the answer says where it led.
package struct GitHubRemote: TodoRemote {
  package var address: RemoteAddress { place.remote }
  package var fields: ContentFieldSet { Issue.fields }
  package var capabilities: RemoteCapabilities {
    var capabilities = RemoteCapabilities()
    capabilities.limits = Self.limits
    capabilities.details = [.assignees, .milestone, .comments, .due]
    capabilities.recognition = .marker
    capabilities.removal = .closes
    capabilities.changesLabelsSingly = true
    capabilities.changes = .time
    return capabilities
  }
  private let place: GitHubAddress
  private let token: @Sendable () async -> Secret?
  private let tokenVariable: String?
  private let transport: any HTTPTransport
  private let now: @Sendable () -> Timestamp

  /// Throws `validation` where the address has no http or https URL.
  package static func checked(
    _ address: GitHubAddress, token: @escaping @Sendable () async -> Secret?,
    tokenVariable: String? = nil, transport: any HTTPTransport,
    now: @escaping @Sendable () -> Timestamp
  ) throws(TodoError) -> GitHubRemote {
    let remote = GitHubRemote(
      address, token: token, tokenVariable: tokenVariable, transport: transport, now: now)
    _ = try remote.client(with: nil)
    return remote
  }

  /// - Parameters:
  ///   - token: Called before each request; returns `nil` if there is none.
  ///   - tokenVariable: The variable to name in messages; nil for the one of the host.
  package init(
    _ address: GitHubAddress, token: @escaping @Sendable () async -> Secret?,
    tokenVariable: String? = nil, transport: any HTTPTransport,
    now: @escaping @Sendable () -> Timestamp = { .now }
  ) {
    place = address
    self.token = token
    self.tokenVariable = tokenVariable
    self.transport = transport
    self.now = now
  }

  private func client(with token: Secret?) throws(TodoError) -> GitHubClient {
    try GitHubClient(
      place.repository, baseURL: place.baseURL, token: token, tokenVariable: tokenVariable,
      transport: transport, now: now)
  }

  /// A body has at most 65,536 characters, with the marker that is added to it.
  private static let limits = FieldLimits([
    .title: 256, .note: 65_536 - IssueBody.markerCharactersMax, .labels: 50,
  ])

  package func perform(_ request: RemoteRequest) async throws(TodoError) -> RemoteAnswer {
    let client = try client(with: await token())
    let call = GitHubCall(client: client, root: request.path, now: now)
    switch request.what {
    case .list: return try await call.page("issues?per_page=100&state=open")
    case .user: return RemoteAnswer(.user(try await client.user()))
    case .access: return try await call.page("issues?per_page=1&state=open")
    case .changes(let since, let validator):
      let answer = try await call.page(
        "issues?state=all&since=\(since)&sort=updated&direction=asc&per_page=100",
        unless: validator)
      try Self.check(answer, since: since)
      return answer
    case .newest:
      return try await call.page("issues?state=all&sort=created&direction=desc&per_page=100")
    case .page(let link): return try await call.page(link)
    case .read(let key): return try await call.item("GET", key)
    case .create(let content, let marker): return try await call.create(content, marker)
    case .change(let key, let content, let fields, let marker, _):
      return try await call.item("PATCH", key, GitHubIssue.members(of: content, fields, marker))
    case .changeLabel(let key, let change): return try await call.changeLabel(key, change)
    case .remove(let key, _):
      return try await call.item(
        "PATCH", key, ["state": "closed", "state_reason": "not_planned"])
    }
  }

  /// The request after a full page begins at its latest change, so a source that ignores `since`
  /// would cause endless requests.
  private static func check(_ answer: RemoteAnswer, since: String) throws(TodoError) {
    guard case .items(let page) = answer.body, page.isFull, let since = Timestamp(rfc3339: since)
    else { return }
    guard page.items.allSatisfy({ $0.updatedAt ?? since >= since }) else {
      throw TodoError(
        .invalidResponse,
        "GitHub sent changes that are older than requested. This is a fault of the source.")
    }
  }
}

/// One request to GitHub.
private struct GitHubCall {
  /// The `per_page` of every list.
  static let pageSize = 100

  let client: GitHubClient
  /// Where the repository is, after a permanent redirect.
  let root: String?
  let now: @Sendable () -> Timestamp

  // MARK: Lists

  func page(
    _ path: String, unless validator: RemoteValidator? = nil
  ) async throws(TodoError) -> RemoteAnswer {
    let url = try client.url(path, in: root)
    var tag: String?
    if let validator, validator.url == url.description, validator.token == client.token {
      tag = validator.tag
    }
    let (response, movedTo) = try await client.send("GET", url, tag: tag)
    let path = movedTo.flatMap { client.root(of: $0, before: path) }
    if tag != nil, response.status == 304 {
      return answer(.notModified, response, movedTo: path)
    }
    let page = try page(of: response, at: url, PageLink(url: url.description))
    return answer(.items(page), response, movedTo: path)
  }

  /// The next page, where GitHub said that it is.
  func page(_ link: PageLink) async throws(TodoError) -> RemoteAnswer {
    let url = try client.address(link.url)
    let (response, _) = try await client.send("GET", url)
    return answer(.items(try page(of: response, at: url, link)), response)
  }

  private func page(
    of response: HTTPResponse, at url: HTTPURL, _ link: PageLink
  ) throws(TodoError) -> RemotePage {
    let json = try client.json(of: response, guessesInstant: false)
    guard let values = json.arrayValue else {
      throw TodoError(
        .invalidResponse, "GitHub answered with something else than a list of issues.",
        status: response.status)
    }
    var page = RemotePage(items: [])
    var latest: Timestamp?
    for value in values {
      let entry = try GitHubIssue(value, from: client, status: response.status)
      // Pull requests are issues, too, and count for what was seen last.
      if let updated = entry.issue.updatedAt, updated >= latest ?? updated {
        latest = updated
        page.cursor = value["updated_at"]?.stringValue
        page.cursorAt = updated
      }
      if !entry.isPullRequest { page.items.append(RemoteItem(entry)) }
      page.include(String(entry.issue.number))
    }
    let links = try LinkHeader(of: response)
    page.next = try links.next(after: link, at: url, on: client)
    page.pageCount = page.next == nil ? link.number : links.lastPageNumber
    page.isFull = page.next != nil
    page.date = response.date
    // A page that is full may stay as it is while another one follows it.
    if let tag = response.value(of: "ETag"), tag.utf8.count <= RemoteValidator.tagBytesMax,
      page.next == nil, values.count < Self.pageSize
    {
      page.validator = RemoteValidator(url: url.description, tag: tag, token: client.token)
    }
    return page
  }

  // MARK: Items

  func create(
    _ content: TodoContent, _ marker: ItemMarker?
  ) async throws(TodoError) -> RemoteAnswer {
    let (response, movedTo) = try await client.send(
      "POST", client.url("issues", in: root),
      body: GitHubIssue.members(
        of: content, ContentField.setOnAdd.filter { $0 != .labels || !content.labels.isEmpty },
        marker))
    return try answer(response, movedTo: movedTo.flatMap { client.root(of: $0, before: "issues") })
  }

  /// Throws `notFound` for what is no issue of this repository any more.
  func item(
    _ method: String, _ key: String, _ body: JSONObject? = nil
  ) async throws(TodoError) -> RemoteAnswer {
    let path = try path(of: key)
    let (response, movedTo) = try await client.send(
      method, client.url(path, in: root), body: body)
    let answer = try answer(
      response, movedTo: movedTo.flatMap { client.root(of: $0, before: path) })
    if case .item(let item) = answer.body, item.key != key {
      throw TodoError(.notFound, "The issue was moved to another repository: \(item.url)")
    }
    return answer
  }

  private func path(of key: String) throws(TodoError) -> String {
    guard let number = Int64(key), number > 0 else {
      throw TodoError(.notFound, "GitHub has no issue of that number.")
    }
    return "issues/\(number)"
  }

  /// Adds a label to an issue, or removes it, and returns all labels of the issue.
  func changeLabel(_ key: String, _ change: LabelChange) async throws(TodoError) -> RemoteAnswer {
    let path = "\(try path(of: key))/labels"
    let url = try client.url(path, in: root)
    let response: HTTPResponse
    if change.isAdded {
      response = try await client.send(
        "POST", url, body: ["labels": [.string(change.label)]]
      ).response
    } else {
      response = try await client.send("DELETE", url, segment: change.label).response
    }
    if !change.isAdded, response.status == 404 {
      // Another user has removed it, or the issue is gone.
      var answer = try await item("GET", key)
      if case .item(let item) = answer.body { answer.body = .labels(item.content.labels) }
      return answer
    }
    let json = try client.json(of: response, guessesInstant: false)
    guard let labels = json.arrayValue else {
      throw TodoError(
        .invalidResponse, "GitHub answered with something else than a list of labels.",
        status: response.status)
    }
    return answer(.labels(GitHubIssue.labels(labels)), response)
  }

  private func answer(
    _ response: HTTPResponse, movedTo: String?
  ) throws(TodoError) -> RemoteAnswer {
    let json = try client.json(of: response, guessesInstant: false)
    let entry = try GitHubIssue(json, from: client, status: response.status)
    guard !entry.isPullRequest else {
      throw TodoError(.notFound, "This is a pull request now, and not an issue.")
    }
    return answer(.item(RemoteItem(entry)), response, movedTo: movedTo)
  }

  // MARK: What every answer says

  private func answer(
    _ body: RemoteAnswer.Body, _ response: HTTPResponse, movedTo: String? = nil
  ) -> RemoteAnswer {
    var answer = RemoteAnswer(body, movedTo: movedTo)
    if response.value(of: "X-RateLimit-Remaining") == "0" {
      answer.nextRequestAt = response.resetInstant(now: now())
    }
    return answer
  }
}

extension RemoteItem {
  /// The most bytes of a title. A longer one is cut, and says so.
  static let titleBytesMax = 64 << 10

  init(_ entry: GitHubIssue) {
    self.init(entry.issue)
    content.title = Self.cut(content.title)
    marker = entry.marker
    hasLeft = entry.issue.isClosed
    leftAt = entry.closedAt
    hasReturned = entry.isReopened
    isRemoved = entry.isNotPlanned
    isLocked = entry.isLocked
    creator = entry.creator
    revision = entry.issue.updatedAt?.description
  }

  static func cut(_ title: String) -> String {
    guard title.utf8.count > titleBytesMax else { return title }
    let note = "… (cut: the title has \(title.utf8.count) bytes)"
    return String(decoding: title.utf8.prefix(titleBytesMax), as: UTF8.self) + note
  }
}
