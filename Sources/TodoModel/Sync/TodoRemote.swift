import Synchronization

/// The address of a source on the network. Different spellings of the same source are equal.
package struct RemoteAddress: Hashable, Sendable, CustomStringConvertible {
  /// The kind of the source as stores record it, such as `github`.
  package let kind: String
  /// The URL of the host, without a slash at its end, such as `https://api.github.com`.
  package let baseURL: String
  /// The path of the source at the host, as the user has spelled it, such as `Octo/tasks`.
  package let place: String
  /// The canonical name of the source: the name of its lists in the store, and a valid value for
  /// `--source`.
  package let description: String
  /// The selection of the source's items that is shown; `nil` if all are shown.
  package let view: RemoteView?

  package init(
    kind: String, baseURL: String, place: String, description: String, view: RemoteView? = nil
  ) {
    (self.kind, self.baseURL, self.place) = (kind, baseURL, place)
    (self.description, self.view) = (description, view)
  }

  package static func == (a: RemoteAddress, b: RemoteAddress) -> Bool {
    a.baseURL.hasSameBytes(as: b.baseURL) && a.description.hasSameBytes(as: b.description)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(baseURL)
    hasher.combine(description)
  }
}

/// A selection of a source's items, by a filter. The store may also contain other items of the
/// source. The user sees only the selected items, and todos with unsent edits.
package struct RemoteView: Sendable {
  /// The canonical text of the view, equal for all its spellings. It is never empty.
  package let key: String
  /// The filter as users see it; `nil` if the name of the source already contains it.
  package let filter: String?
  /// The labels that a new todo gets, so that its item is in the view.
  package let labels: LabelSet
  /// The users whose new items can be in the view.
  private let additions: Additions
  /// Whether the view contains items of several repositories. Other lists can then have the same
  /// items.
  package let spansPlaces: Bool

  package init(
    key: String, filter: String?, labels: LabelSet = LabelSet(), additions: Additions = .allowed,
    spansPlaces: Bool = false
  ) {
    (self.key, self.filter, self.labels, self.additions) = (key, filter, labels, additions)
    self.spansPlaces = spansPlaces
  }

  package enum Additions: Sendable {
    case allowed, refused
    /// Only new items of the user with this name can be in the view. Case is ignored. The second
    /// value is the user of the access token.
    case ofUser(named: String, SourceUser)
  }

  /// Whether a new item of the user can be in the view; `false` as long as this depends on the
  /// user's name and the name is not known.
  package var acceptsNew: Bool {
    switch additions {
    case .allowed: true
    case .refused: false
    case .ofUser(let name, let user): user.name?.lowercased() == name.lowercased()
    }
  }
}

/// The user of the access token for a source. The name is `nil` until a response has contained it.
package final class SourceUser: Sendable {
  private let known = Mutex<String?>(nil)

  package init() {}

  package var name: String? {
    get { known.withLock { $0 } }
    set { known.withLock { $0 = newValue } }
  }
}

/// A client that sends requests to a source of todos on the network, one at a time.
///
/// Each request is sent at most once. After a failure, the caller decides whether to send it again.
package protocol TodoRemote: Sendable {
  var address: RemoteAddress { get }

  var capabilities: RemoteCapabilities { get }

  /// Sends one request, and returns its response. Cancelling the task cancels the request.
  ///
  /// - Throws: The kinds of errors that Protocol.md lists for a source. For `rateLimited`,
  ///   `retryAt` is `nil` if the source has not named a time.
  func perform(_ request: RemoteRequest) async throws(TodoError) -> RemoteAnswer
}

/// A request to a source.
package struct RemoteRequest: Sendable, Equatable {
  package var kind: Kind
  /// The path to which a permanent redirect led, as the source returned it.
  package var path: String?

  package init(_ kind: Kind, path: String? = nil) {
    self.kind = kind
    self.path = path
  }

  package enum Kind: Sendable, Equatable {
    /// Requests the first page of the whole list.
    case list
    /// Requests the minimum that shows whether the list can be read.
    case access
    /// Requests the name of the user at the source.
    case user
    /// Requests the changes since a time or token, in the source's own format. With the validator
    /// of an earlier response, the source can answer that nothing has changed since that response.
    case changes(since: String, RemoteValidator?)
    /// Requests another page by its link, which the previous page contained.
    case page(PageLink)
    /// Requests the first page of all items, newest first, including those that have left the list.
    /// Used to search for an item after a lost response, and by `SourceStore`.
    case newest
    case read(key: String)
    /// Creates an item. The marker is `nil` if the source does not support markers.
    case create(TodoContent, marker: ItemMarker?)
    /// Changes some fields of an item. `marker` is the present marker of the item, which stays in
    /// it. With a `revision`, the source refuses the change if the item has another revision.
    case change(
      key: String, TodoContent, fields: [ContentField], marker: ItemMarker?, revision: String? = nil
    )
    /// Adds a label to an item, or removes one. Used with `RemoteCapabilities.changesLabelsSingly`.
    case changeLabel(key: String, LabelChange)
    /// Requests a page of the labels that the source's items can have; with `nil`, the first page.
    /// Used with `RemoteCapabilities.listsLabels`.
    case listLabels(PageLink?)
    /// Closes or deletes the item of a removed todo, depending on `RemoteCapabilities.removal`.
    case remove(key: String, revision: String? = nil)
  }
}

/// The addition or the removal of one label.
package struct LabelChange: Sendable, Equatable {
  package var label: String
  package var isAdded: Bool

  package init(label: String, isAdded: Bool) { (self.label, self.isAdded) = (label, isAdded) }

  /// Returns whether `labels` already contain the added label or lack the removed label.
  package func isApplied(in labels: LabelSet) -> Bool { labels.contains(label) == isAdded }

  package func applied(to labels: LabelSet) -> LabelSet {
    var labels = labels
    if isAdded { labels.insert(label) } else { labels.remove(label) }
    return labels
  }
}

/// The validator of a response, such as its `ETag`. It is used for a conditional request with the
/// same URL and access token.
///
/// It contains the token, so it must never be written to a file.
package struct RemoteValidator: Sendable, Equatable {
  /// The maximum length of a tag, in bytes. A longer tag is not used.
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

/// A response of a source.
package struct RemoteAnswer: Sendable, Equatable {
  package var body: Body
  /// The new path of the source, if it has sent a permanent redirect; otherwise `nil`.
  package var movedTo: String?
  /// The time at which the next request is allowed; `nil` if another request is allowed now, or the
  /// source has not reported a limit.
  package var nextRequestAt: Timestamp?
  /// Whether the user has only read access to the list; `nil` if the source does not report it.
  package var isReadOnly: Bool?

  package init(
    _ body: Body, movedTo: String? = nil, nextRequestAt: Timestamp? = nil, isReadOnly: Bool? = nil
  ) {
    self.body = body
    self.movedTo = movedTo
    self.nextRequestAt = nextRequestAt
    self.isReadOnly = isReadOnly
  }

  package enum Body: Sendable, Equatable {
    case items(RemotePage)
    case notModified
    case item(RemoteItem)
    /// All labels of an item, after one of them was changed.
    case labels(LabelSet)
    /// The requested item was deleted.
    case deleted
    /// The name of the user, in the same form as `RemoteItem.creator`.
    case user(String)
    case labelPage(LabelPage)
  }
}

/// A page of the labels that a source's items can have.
package struct LabelPage: Sendable, Equatable {
  package var labels: [String]
  /// The link to the next page; `nil` on the last page.
  package var next: PageLink?

  package init(labels: [String], next: PageLink? = nil) {
    (self.labels, self.next) = (labels, next)
  }
}

/// A text that is added to an item when it is created from a todo. It identifies the item even if
/// the response to its creation was lost.
///
/// Each request that creates an item has its own marker. The id of the todo alone would not be
/// unique, such as after an import into another store. Therefore, a marker also contains its
/// creation time in milliseconds and a random number. Before store version 10, a marker was the id
/// of its todo.
package struct ItemMarker: Hashable, Sendable {
  /// The maximum length of a marker, in bytes.
  package static let bytesMax = TodoID.bytesMax + 32
  /// The maximum length of a new marker, in bytes: a part of the todo's id, two numbers of at most
  /// 9 and 13 digits, and two dots.
  package static let newBytesMax = nameBytesMax + 24
  private static let nameBytesMax = 32

  package let text: String

  /// Creates a marker from the text in an item or in a store.
  package init(_ text: String) { self.text = text }

  /// The time at which the marker was created; `nil` for a marker of an older version.
  package var createdAt: Timestamp? {
    let parts = text.split(separator: ".")
    guard parts.count >= 3 else { return nil }
    return Int64(parts[parts.count - 2], radix: 36).map { Timestamp(milliseconds: $0) }
  }

  /// Creates a new marker for a todo. The marker omits characters of the todo's id that need an
  /// escape in a URL.
  package init(of id: TodoID, at now: Timestamp, random: Int64) {
    let bytes = id.text.utf8.filter(URLText.isPlain).prefix(Self.nameBytesMax)
    let name = String(decoding: bytes, as: UTF8.self)
    text = "\(name).\(String(now.milliseconds, radix: 36)).\(String(random, radix: 36))"
  }
}

/// An item of a source, such as an issue or a task.
package struct RemoteItem: Sendable, Equatable {
  /// The source's identifier of the item, such as the number of an issue. It changes only if the
  /// item moves within the source, such as to another repository.
  package var key: String
  /// The old key with which the item was requested, if the item now has another key; otherwise
  /// `nil`.
  package var formerKey: String?
  package var url: String
  package var content: TodoContent
  /// The fields that the source stores for this item. All other fields have their initial values in
  /// `content`.
  package var fields: ContentFieldSet
  /// The position of the item among the source's items: items with smaller values come first.
  package var order: Int64
  /// The revision of the item as reported by the source. Equal revisions mean equal content, but
  /// different revisions can have equal content, too.
  package var revision: String?
  /// Whether revisions can be compared: the smaller one is older, as with times.
  package var hasOrderedRevision = false
  /// The marker with which the item was created. The note in `content` does not contain it.
  package var marker: ItemMarker?
  /// Whether the item is no longer in the source's list of open items.
  package var hasLeft: Bool
  /// The time at which the item left the list of open items; `nil` if it is not known.
  package var leftAt: Timestamp?
  /// Whether the item was closed in the way in which a sync closes the item of a removed todo. At
  /// GitHub, such an item is closed as "not planned".
  package var isRemoved = false
  /// Whether the item was reopened: it had left the list of open items, and is in this list again.
  package var hasReturned = false
  /// The read-only details of the item; `nil` if it has none.
  package var details: SourceDetails?
  /// The name of the user who created the item; `nil` if the source does not report it.
  package var creator: String?
  /// Whether the source restricts changes of the item to some users.
  package var isLocked = false
  /// Whether the item is in the view of the source; see `RemoteView`.
  package var isInView = true
  /// Whether the new item lacks something that the view requires, such as an assignee.
  package var isIncomplete = false
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
  /// Returns whether this state of the item is certainly older than its state with another
  /// revision; `false` if the two revisions cannot be compared.
  package func isOlder(thanRevision known: String?) -> Bool {
    guard hasOrderedRevision, let revision, let known else { return false }
    return revision < known
  }

  /// Creates an item from an issue in a list of open issues.
  package init(_ issue: Issue) {
    self.init(
      key: String(issue.number), url: issue.url, content: TodoContent(issue), fields: issue.fields,
      order: Self.order(ofNumber: issue.number), hasLeft: false, createdAt: issue.createdAt,
      updatedAt: issue.updatedAt)
    details = issue.details
  }

  /// Whether the source reports no change of the item since its creation.
  package var isAsCreated: Bool { updatedAt != nil && updatedAt == createdAt }

  /// Returns the position of the issue with the given number. Issues with higher numbers come
  /// first.
  package static func order(ofNumber number: Int64) -> Int64 {
    orderMax - min(max(number, 0), orderMax)
  }

  /// The greatest value of `order`. Every JSON parser can represent it exactly.
  package static let orderMax: Int64 = 1 << 52
}
