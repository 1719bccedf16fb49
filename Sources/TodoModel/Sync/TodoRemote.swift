/// Where a source on the network is, and what it is called.
///
///     RemoteAddress("github:octo/tasks")                      // at api.github.com
///     RemoteAddress("github:git.example.org/octo/tasks")      // at https://git.example.org/api/v3
///     RemoteAddress("github+https://example.org/base/octo/tasks")
///
/// Two spellings of one repository are one address: names are compared without regard to case.
package struct RemoteAddress: Hashable, Sendable, CustomStringConvertible {
  /// Without a slash at its end, such as `https://api.github.com`.
  package let baseURL: String
  /// In lower case; the source itself says how it is spelled.
  package let repository: RepositoryName

  package static let githubURL = "https://api.github.com"

  package init(baseURL: String = RemoteAddress.githubURL, repository: RepositoryName) {
    let base = baseURL.last == "/" ? String(baseURL.dropLast()) : baseURL
    self.baseURL = Self.lowercasedHost(base)
    self.repository = repository.lowercased
  }

  /// Nil for what is not a source. `github:OWNER/REPO` is at `githubURL`.
  package init?(_ text: String, githubURL: String? = nil) {
    if text.hasPrefix("github:") {
      let parts = text.dropFirst(7).split(separator: "/", omittingEmptySubsequences: false)
      guard let repository = RepositoryName(parts.suffix(2).joined(separator: "/")) else {
        return nil
      }
      switch parts.count {
      case 2: self.init(baseURL: githubURL ?? Self.githubURL, repository: repository)
      case 3:
        // A host without a dot is more often a path by mistake; it has a URL.
        guard Self.isHost(parts[0]), parts[0].contains(".") || parts[0].contains(":") else {
          return nil
        }
        self.init(baseURL: "https://\(parts[0])/api/v3", repository: repository)
      default: return nil
      }
      return
    }
    guard text.hasPrefix("github+") else { return nil }
    let url = text.dropFirst(7)
    let parts = url.split(separator: "/", omittingEmptySubsequences: false)
    // The scheme, nothing, the host, perhaps a path, the owner and the name.
    guard parts.count >= 5, ["https:", "http:"].contains(parts[0]), parts[1].isEmpty,
      Self.isHost(parts[2]),
      let repository = RepositoryName(parts.suffix(2).joined(separator: "/")),
      parts[3..<(parts.count - 2)].allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isPlain) })
    else { return nil }
    self.init(baseURL: parts.dropLast(2).joined(separator: "/"), repository: repository)
  }

  /// The one name of this source: what its lists are kept under, and what `--source` takes.
  package var description: String {
    if baseURL == Self.githubURL { return "github:\(repository)" }
    let enterprise = baseURL.split(separator: "/", omittingEmptySubsequences: false)
    if enterprise.count == 5, enterprise[0] == "https:", enterprise[3...] == ["api", "v3"] {
      return "github:\(enterprise[2])/\(repository)"
    }
    return "github+\(baseURL)/\(repository)"
  }

  /// Scheme and host of a URL do not depend on case; its path does.
  private static func lowercasedHost(_ url: String) -> String {
    var parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
      .map(String.init)
    for index in parts.indices.prefix(3) { parts[index] = parts[index].lowercased() }
    return parts.joined(separator: "/")
  }

  /// A name or an address, perhaps with a port.
  private static func isHost(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { isPlain($0) || "[]:".utf8.contains($0) }
  }

  /// Whether a byte means itself in the path of every URL: an unreserved one (RFC 3986).
  package static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}

/// A source of todos on the network: what can be asked of it, one request at a time.
///
/// It sends each request once, or not at all: what to do about a failure is decided by who asks.
package protocol TodoRemote: Sendable {
  var address: RemoteAddress { get }

  /// The fields of a todo that the source stores.
  var fields: ContentFieldSet { get }

  /// Sends one request. Cancelling the task ends it. Throws the kinds that Protocol.md lists for a
  /// source; with `rateLimited`, `retryAt` is nil where the source does not say when.
  func perform(_ request: RemoteRequest) async throws(TodoError) -> RemoteAnswer
}

/// One request to a source.
package struct RemoteRequest: Sendable, Equatable {
  package var what: What
  /// Where a permanent redirect has led, in the source's own words.
  package var path: String?

  package init(_ what: What, path: String? = nil) {
    self.what = what
    self.path = path
  }

  package enum What: Sendable, Equatable {
    /// What is on the list now, all of it: the first page.
    case list
    /// What has changed since an instant, in the source's own words; unless nothing has since the
    /// answer with the validator.
    case changes(since: String, RemoteValidator?)
    /// Another page, as the one before named it.
    case page(PageLink)
    /// All items, the newest first, also those that have left the list: the first page. It is also
    /// searched for one's own item by its marker.
    case newest
    case read(key: String)
    /// Creates an item. Without a marker it cannot be found after a lost response.
    case create(TodoContent, marker: ItemMarker?)
    /// Changes some fields. `marker` is that of the item, which stays.
    case change(key: String, TodoContent, fields: [ContentField], marker: ItemMarker?)
    /// What a removed todo becomes at its source.
    case close(key: String)
  }
}

/// What makes a source answer "nothing new". It belongs to one URL and one token.
///
/// It has the token itself, so it stays in the memory of the process and is stored nowhere.
package struct RemoteValidator: Sendable, Equatable {
  /// The most bytes of a tag. A longer one is not used.
  package static let tagBytesMax = 1 << 10

  package var url: String
  package var tag: String
  package var token: Secret?

  package init(url: String, tag: String, token: Secret?) {
    self.url = url
    self.tag = tag
    self.token = token
  }
}

/// What a source answered.
package struct RemoteAnswer: Sendable, Equatable {
  package var body: Body
  /// Where the source is from now on, in its own words.
  package var movedTo: String?
  /// When the next request is allowed, where the source says that this was the last for now.
  package var nextRequestAt: Timestamp?

  package init(_ body: Body, movedTo: String? = nil, nextRequestAt: Timestamp? = nil) {
    self.body = body
    self.movedTo = movedTo
    self.nextRequestAt = nextRequestAt
  }

  package enum Body: Sendable, Equatable {
    case items(RemotePage)
    case notModified
    case item(RemoteItem)
  }
}

/// A page of items, and where the next one is.
package struct RemotePage: Sendable, Equatable {
  package var items: [RemoteItem]
  /// Nil on the last page.
  package var next: PageLink?
  /// How many pages there are, where the source says so.
  package var pageCount: Int?
  /// What to ask for changes since, once everything was taken; nil where the page has nothing.
  package var cursor: String?
  /// The instant that the cursor names, by the source's own clock.
  package var cursorAt: Timestamp?
  package var validator: RemoteValidator?
  /// Whether there may be more since the cursor.
  package var isFull: Bool
  /// When the source answered, by its own clock.
  package var date: Timestamp?

  package init(
    items: [RemoteItem], next: PageLink? = nil, pageCount: Int? = nil, cursor: String? = nil,
    validator: RemoteValidator? = nil, isFull: Bool = false, date: Timestamp? = nil
  ) {
    self.items = items
    self.next = next
    self.pageCount = pageCount
    self.cursor = cursor
    self.validator = validator
    self.isFull = isFull
    self.date = date
  }
}

/// The marker of an item that was created from a todo: the creator recognizes the item by it, also
/// when the response was lost.
///
/// A marker is of one request to create an item. Todos of several users or stores may have the same
/// id, as after an import, so the marker says when it was made, to the millisecond, and has a random
/// number. Before store version 10 a marker was the id of its todo.
package struct ItemMarker: Hashable, Sendable {
  /// The most bytes of a marker.
  package static let bytesMax = TodoID.bytesMax + 32

  package let text: String

  /// A marker as a source or a store has it.
  package init(_ text: String) { self.text = text }

  /// A new marker. Of an id, it has only bytes that mean themselves everywhere.
  package init(of id: TodoID, at now: Timestamp, random: Int64) {
    let name = String(decoding: id.text.utf8.filter(RemoteAddress.isPlain), as: UTF8.self)
    text = "\(name).\(String(now.milliseconds, radix: 36)).\(String(random, radix: 36))"
  }
}

/// A todo as its source has it.
package struct RemoteItem: Sendable, Equatable {
  /// The source's own name of the item, which never changes: the number of an issue.
  package var key: String
  package var url: String
  package var content: TodoContent
  /// The fields that its source has. The content says nothing about the others.
  package var fields: ContentFieldSet
  /// Its place among the items of its source, the smallest first. It comes from the item.
  package var order: Int64
  /// What the source says of its state; equal for equal content, and often not only then.
  package var revision: String?
  /// The marker that it was created with, which the note does not contain.
  package var marker: ItemMarker?
  /// Whether it is no longer on the list that the source shows.
  package var hasLeft: Bool
  /// When it left the list, where the source says so.
  package var leftAt: Timestamp?
  /// Whether it left the list as a removed todo does.
  package var isRemoved = false
  /// Whether it had left the list and came back.
  package var hasReturned = false
  package var createdAt: Timestamp?
  package var updatedAt: Timestamp?

  package init(
    key: String, url: String, content: TodoContent, fields: ContentFieldSet, order: Int64 = 0,
    revision: String? = nil, marker: ItemMarker? = nil, hasLeft: Bool = false,
    createdAt: Timestamp? = nil, updatedAt: Timestamp? = nil
  ) {
    self.key = key
    self.url = url
    self.content = content
    self.fields = fields
    self.order = order
    self.revision = revision
    self.marker = marker
    self.hasLeft = hasLeft
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension RemoteItem {
  /// An issue as a page of the source's open list had it.
  package init(_ issue: Issue) {
    self.init(
      key: String(issue.number), url: issue.url, content: TodoContent(issue), fields: Issue.fields,
      order: Self.order(ofNumber: issue.number), hasLeft: false, createdAt: issue.createdAt,
      updatedAt: issue.updatedAt)
  }

  /// The newest first: a greater number is a smaller order.
  package static func order(ofNumber number: Int64) -> Int64 {
    orderMax - min(max(number, 0), orderMax)
  }

  /// The greatest order, which every reader of JSON can hold.
  package static let orderMax: Int64 = 1 << 52
}
