import JSONRPC
import TodoModel

/// The HTTP requests that perform one `RemoteRequest` at GitHub.
struct GitHubCall {
  /// The number of entries on one page, for all kinds of lists (`per_page`).
  static let pageSize = 100

  let client: GitHubClient
  /// The path of the repository after a permanent redirect; `nil` if there was no redirect.
  let root: String?
  let matcher: IssueMatcher
  let now: @Sendable () -> Timestamp

  /// The query parameters for requests that ignore the filter of the source. They are empty for a
  /// repository. For `@me`, they select the issues assigned to the user.
  var scopeQuery: String {
    switch matcher.issues {
    case .repository: ""
    case .assigned: matcher.query
    }
  }

  // MARK: Lists

  /// Requests the first page of a list.
  ///
  /// - Parameter isView: Whether the request contains the filter of the source.
  func page(
    _ path: String, isView: Bool = false, unless validator: RemoteValidator? = nil
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
    var page = try page(of: response, at: url, PageLink(url: url.description))
    if isView, case .repository(_, let filter) = matcher.issues, !filter.selectsAll {
      page.beginChanges(at: response.date)
    }
    return answer(.items(page), response, movedTo: path)
  }

  /// Requests the next page of a list by its link, which GitHub has sent.
  func page(_ link: PageLink) async throws(TodoError) -> RemoteAnswer {
    let url = try client.address(link.url)
    let (response, _) = try await client.send("GET", url)
    return answer(.items(try page(of: response, at: url, link)), response)
  }

  private func page(
    of response: HTTPResponse, at url: HTTPURL, _ link: PageLink
  ) throws(TodoError) -> RemotePage {
    let json = try client.json(of: response, assumesRetryAt: false)
    guard let values = json.arrayValue else {
      throw TodoError(
        .invalidResponse, "GitHub answered with something else than a list of issues.",
        status: response.status)
    }
    var page = RemotePage(items: [])
    var latest: Timestamp?
    for value in values {
      let entry = try GitHubIssue(value, from: client, status: response.status)
      // GitHub also lists pull requests. They do not become todos, but count for the time of the
      // latest change, and move other entries when they are closed.
      if let updated = entry.issue.updatedAt, updated >= latest ?? updated {
        latest = updated
        page.cursor = value["updated_at"]?.stringValue
        page.cursorAt = updated
      }
      let item = RemoteItem(entry, matcher)
      if entry.isPullRequest { page.otherEntries.append(item) } else { page.items.append(item) }
      page.include(item.key)
    }
    let links = try LinkHeader(of: response)
    page.next = try links.next(after: link, at: url, on: client)
    page.pageCount = page.next == nil ? link.number : links.lastPageNumber
    page.isFull = page.next != nil
    page.date = response.date
    // A full page gets no validator (ETag), because the page can stay unchanged while another page
    // is added after it.
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
    guard case .repository = matcher.issues else { throw .addingRefused }
    var members = GitHubIssue.members(
      of: content, ContentField.setOnAdd.filter { $0 != .labels || !content.labels.isEmpty },
      marker)
    for member in matcher.requirements.members { members[member.key] = member.value }
    let (response, movedTo) = try await client.send(
      "POST", client.url("issues", in: root), body: members)
    return try answer(
      response, movedTo: movedTo.flatMap { client.root(of: $0, before: "issues") }, isNew: true)
  }

  /// Sends a request that concerns one issue, and returns the issue.
  ///
  /// - Throws: `notFound` if the issue is no longer in this repository.
  func item(
    _ method: String, _ key: String, _ body: JSONObject? = nil
  ) async throws(TodoError) -> RemoteAnswer {
    let path = try path(of: key)
    let (response, movedTo) = try await client.send(
      method, client.url(path, in: root), body: body)
    // An issue that cannot be read does not mean that the token lacks rights. Rights are missing
    // only if the list cannot be read either, or if a change is refused.
    if method == "GET", response.status == 404 {
      throw TodoError(.notFound, "The issue was deleted at GitHub, or you may no longer see it.")
    }
    var answer = try answer(
      response, movedTo: movedTo.flatMap { client.root(of: $0, before: path) })
    guard case .item(var item) = answer.body, item.key.lowercased() != key.lowercased() else {
      return answer
    }
    guard case .assigned = matcher.issues else {
      throw TodoError(.notFound, "The issue was moved to another repository: \(item.url)")
    }
    // The issue was moved to another repository, or its repository was renamed.
    item.formerKey = key
    answer.body = .item(item)
    return answer
  }

  private func path(of key: String) throws(TodoError) -> String {
    let place: String
    switch matcher.issues {
    case .repository: place = ""
    case .assigned:
      guard let name = TodoOrigin.place(of: key).flatMap({ RepositoryName($0) }) else {
        throw TodoError(.notFound, "GitHub has no repository of that name.")
      }
      place = "repos/\(name)/"
    }
    guard let number = TodoOrigin.number(of: key), number > 0 else {
      throw TodoError(.notFound, "GitHub has no issue of that number.")
    }
    return "\(place)issues/\(number)"
  }

  /// Adds a label to an issue or removes one, and returns all labels of the issue.
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
      // Another user has removed the label, or the issue no longer exists.
      var answer = try await item("GET", key)
      if case .item(let item) = answer.body { answer.body = .labels(item.content.labels) }
      return answer
    }
    let json = try client.json(of: response, assumesRetryAt: false)
    guard let labels = json.arrayValue else {
      throw TodoError(
        .invalidResponse, "GitHub answered with something else than a list of labels.",
        status: response.status)
    }
    return answer(.labels(GitHubIssue.labels(labels)), response)
  }

  /// Requests a page of the labels of the repository; with `nil`, the first page.
  func labels(_ link: PageLink?) async throws(TodoError) -> RemoteAnswer {
    let first = try client.url("labels?per_page=\(Self.pageSize)", in: root)
    let url = try link.map { link throws(TodoError) in try client.address(link.url) } ?? first
    let response = try await client.send("GET", url).response
    let json = try client.json(of: response, assumesRetryAt: false)
    guard let labels = json.arrayValue else {
      throw TodoError(
        .invalidResponse, "GitHub answered with something else than a list of labels.",
        status: response.status)
    }
    var page = LabelPage(labels: labels.compactMap { $0["name"]?.stringValue })
    page.next = try LinkHeader(of: response).next(
      after: link ?? PageLink(url: url.description), at: url, on: client)
    return answer(.labelPage(page), response)
  }

  /// Returns the issue in a response.
  ///
  /// - Parameter isNew: Whether the request has created the issue.
  private func answer(
    _ response: HTTPResponse, movedTo: String?, isNew: Bool = false
  ) throws(TodoError) -> RemoteAnswer {
    let json = try client.json(of: response, assumesRetryAt: false)
    let entry = try GitHubIssue(json, from: client, status: response.status)
    guard !entry.isPullRequest else {
      throw TodoError(.notFound, "This is a pull request now, and not an issue.")
    }
    var item = RemoteItem(entry, matcher)
    item.isIncomplete = isNew && !matcher.meetsRequirements(entry)
    return answer(.item(item), response, movedTo: movedTo)
  }

  // MARK: Common parts of answers

  private func answer(
    _ body: RemoteAnswer.Body, _ response: HTTPResponse, movedTo: String? = nil
  ) -> RemoteAnswer {
    // A redirect of one repository does not concern the others.
    let isWhole = if case .repository = matcher.issues { true } else { false }
    var answer = RemoteAnswer(body, movedTo: isWhole ? movedTo : nil)
    if response.value(of: "X-RateLimit-Remaining") == "0" {
      answer.nextRequestAt = response.resetInstant(now: now())
    }
    return answer
  }
}

extension RemotePage {
  /// The longest delay until GitHub's lists contain a changed issue, in milliseconds.
  private static let delayMilliseconds: Int64 = 60_000

  /// Sets the cursor to a time shortly before `date`, the time of the response. The first request
  /// for changes requests only changes since the cursor.
  ///
  /// Earlier changes are not needed, because this page and the following pages contain all issues
  /// that the source selects, as they are now. Earlier changes of issues that the source does not
  /// select are not needed either.
  fileprivate mutating func beginChanges(at date: Timestamp?) {
    guard let date else { return }
    let time = Timestamp(milliseconds: date.milliseconds - Self.delayMilliseconds)
    (cursor, cursorAt) = (String(time.description.prefix(19)) + "Z", time)
  }
}

extension RemoteItem {
  /// The maximum size of a title, in bytes. A longer title is cut to this size, and its full size
  /// is appended in parentheses.
  static let titleBytesMax = 64 << 10

  init(_ entry: GitHubIssue, _ matcher: IssueMatcher) {
    self.init(entry.issue)
    if case .assigned = matcher.issues {
      // Issues of several repositories cannot be sorted by their numbers.
      key = "\(entry.repository?.description ?? "")#\(entry.issue.number)"
      order = Self.order(ofNumber: (entry.issue.createdAt?.milliseconds ?? 0) / 1_000)
    }
    isInView = matcher.contains(entry)
    content.title = Self.cut(content.title)
    marker = entry.marker
    hasLeft = entry.issue.isClosed
    leftAt = entry.closedAt
    hasReturned = entry.isReopened
    isRemoved = entry.isNotPlanned
    isLocked = entry.isLocked
    creator = entry.creator
    revision = entry.issue.updatedAt?.description
    hasOrderedRevision = true
  }

  static func cut(_ title: String) -> String {
    guard title.utf8.count > titleBytesMax else { return title }
    let note = "… (cut: the title has \(title.utf8.count) bytes)"
    return String(decoding: title.utf8.prefix(titleBytesMax), as: UTF8.self) + note
  }
}
