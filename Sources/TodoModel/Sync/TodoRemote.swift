import Synchronization

/// The address of a source on the network. Two spellings of one source are equal.
package struct RemoteAddress: Hashable, Sendable, CustomStringConvertible {
  /// The kind of the source in stores, such as `github`.
  package let kind: String
  /// The base URL of the host that limits requests, without a slash at its end, such as
  /// `https://api.github.com`.
  package let baseURL: String
  /// The path of the source at the host, in the user's spelling, such as `Octo/tasks`.
  package let place: String
  /// The canonical name of the source: the name of its lists in the store, and the value for
  /// `--source`.
  package let description: String
  /// The view that selects the items of the source that are shown; `nil` if all are shown.
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

/// A selection of the items of a source. The stored list contains all todos; the view shows those
/// with selected items, and those with unsent edits.
package struct RemoteView: Sendable {
  /// The canonical form of the view, which is equal for all its spellings and never empty.
  package let key: String
  /// The filter as it is shown to users; `nil` if the name of the source contains it already.
  package let filter: String?
  /// The labels that a new todo gets.
  package let labels: LabelSet
  /// The users whose new items can be in the view.
  private let additions: Additions
  /// Whether the items of the view may be in other lists, too.
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
    /// Only the user with this name can add items. Names are compared without regard to case.
    case ofUser(named: String, SourceUser)
  }

  /// Whether a new item of the user can be in the view; `false` if this depends on the user's name
  /// and the name is not known yet.
  package var acceptsNew: Bool {
    switch additions {
    case .allowed: true
    case .refused: false
    case .ofUser(let name, let user): user.name?.lowercased() == name.lowercased()
    }
  }
}

/// The user of a source. The name is `nil` until a request has returned it.
package final class SourceUser: Sendable {
  private let known = Mutex<String?>(nil)

  package init() {}

  package var name: String? {
    get { known.withLock { $0 } }
    set { known.withLock { $0 = newValue } }
  }
}

/// A client for a source of todos on the network, which sends one request at a time.
///
/// Each request is sent at most once; the caller decides whether to retry after a failure.
package protocol TodoRemote: Sendable {
  var address: RemoteAddress { get }

  var capabilities: RemoteCapabilities { get }

  /// Sends one request; cancelling the task cancels it.
  ///
  /// - Throws: The kinds that Protocol.md lists for a source. With `rateLimited`, `retryAt` is
  ///   `nil` if the source names no time.
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
    /// The first page of the whole list.
    case list
    /// A minimal request, which checks whether the list can be read.
    case access
    /// The name of the user at the source.
    case user
    /// Changes since an instant, in the source's format. With a validator, the source may answer
    /// that nothing has changed since the response that contained it.
    case changes(since: String, RemoteValidator?)
    /// Another page, by the link of the page before it.
    case page(PageLink)
    /// The first page of all items, newest first, including those that have left the list. Used to
    /// search for an item by its marker.
    case newest
    case read(key: String)
    /// Creates an item, with a marker if the source recognizes items by it.
    case create(TodoContent, marker: ItemMarker?)
    /// Changes some fields. `marker` is the present marker of the item, which the change preserves.
    /// With a `revision`, the source refuses the change if the item has another revision.
    case change(
      key: String, TodoContent, fields: [ContentField], marker: ItemMarker?, revision: String? = nil
    )
    /// Adds a label to an item, or removes one, see `RemoteCapabilities.changesLabelsSingly`.
    case changeLabel(key: String, LabelChange)
    /// A page of the labels that items can have; with `nil`, the first page. See
    /// `RemoteCapabilities.listsLabels`.
    case listLabels(PageLink?)
    /// Closes or deletes the item of a removed todo, see `RemoteCapabilities.Removal`.
    case remove(key: String, revision: String? = nil)
  }
}

/// An addition or removal of a label.
package struct LabelChange: Sendable, Equatable {
  package var label: String
  package var isAdded: Bool

  package init(label: String, isAdded: Bool) { (self.label, self.isAdded) = (label, isAdded) }

  /// Whether an item with these labels has the change.
  package func isApplied(in labels: LabelSet) -> Bool { labels.contains(label) == isAdded }

  package func applied(to labels: LabelSet) -> LabelSet {
    var labels = labels
    if isAdded { labels.insert(label) } else { labels.remove(label) }
    return labels
  }
}

/// The validator of a response, such as its `ETag`, for a conditional request with the same URL and
/// access token.
///
/// It contains the token, so it is stored in memory only.
package struct RemoteValidator: Sendable, Equatable {
  /// The maximum number of bytes of a tag. A longer one is not used.
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
  /// The new path of the source after a permanent redirect, as the source returned it.
  package var movedTo: String?
  /// The time at which the next request is allowed; `nil` unless the source reports that no
  /// requests are left until then.
  package var nextRequestAt: Timestamp?
  /// Whether the user may only read the list; `nil` if the source does not report it.
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
    /// All labels of the item, after a change of one label.
    case labels(LabelSet)
    /// The item was deleted.
    case deleted
    /// The user's name, in the form in which items name their creator.
    case user(String)
    case labelPage(LabelPage)
  }
}

/// A page of the labels that the items of a source can have.
package struct LabelPage: Sendable, Equatable {
  package var labels: [String]
  /// The link to the next page; `nil` on the last page.
  package var next: PageLink?

  package init(labels: [String], next: PageLink? = nil) {
    (self.labels, self.next) = (labels, next)
  }
}

/// A page of items, and the link to the next page.
package struct RemotePage: Sendable, Equatable {
  package var items: [RemoteItem]
  /// The keys of items deleted since the last request.
  package var deleted: [String] = []
  /// A digest of everything on the page, including pull requests: equal for equal pages.
  package var digest: UInt64 = 0
  /// The link to the next page; `nil` on the last page.
  package var next: PageLink?
  /// The number of pages, if the source reports it.
  package var pageCount: Int?
  /// The cursor for the next request for changes, valid once all items are stored; `nil` if the
  /// page has none.
  package var cursor: String?
  /// The time in the cursor, by the source's clock.
  package var cursorAt: Timestamp?
  package var validator: RemoteValidator?
  /// Whether there may be more changes since the cursor.
  package var isFull: Bool
  /// The time of the response, by the source's clock.
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
    for item in items { include(item.key) }
  }

  /// Adds an entry of the page to its digest (FNV-1a).
  package mutating func include(_ key: String) {
    if digest == 0 { digest = 0xCBF2_9CE4_8422_2325 }
    for byte in key.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    digest = (digest ^ 0xFF) &* 0x100_0000_01B3
  }
}

/// A marker in an item that was created from a todo. It identifies the item even if the response
/// was lost.
///
/// Each request to create an item has its own marker. Todos of several users or stores may have the
/// same id, such as after an import, so a marker also contains its creation time in milliseconds
/// and a random number. Before store version 10, a marker was the id of its todo.
package struct ItemMarker: Hashable, Sendable {
  /// The maximum number of bytes of a marker.
  package static let bytesMax = TodoID.bytesMax + 32
  /// The maximum number of bytes of a new marker: two numbers of at most 9 and 13 digits follow the
  /// name.
  package static let newBytesMax = nameBytesMax + 24
  private static let nameBytesMax = 32

  package let text: String

  /// Creates a marker from the text that a source returned or a store contains.
  package init(_ text: String) { self.text = text }

  /// The creation time of the marker; `nil` for a marker of an older version.
  package var createdAt: Timestamp? {
    let parts = text.split(separator: ".")
    guard parts.count >= 3 else { return nil }
    return Int64(parts[parts.count - 2], radix: 36).map { Timestamp(milliseconds: $0) }
  }

  /// Creates a new marker for a todo. Of the todo's id, it contains only the bytes that no format
  /// needs to escape.
  package init(of id: TodoID, at now: Timestamp, random: Int64) {
    let bytes = id.text.utf8.filter(URLText.isPlain).prefix(Self.nameBytesMax)
    let name = String(decoding: bytes, as: UTF8.self)
    text = "\(name).\(String(now.milliseconds, radix: 36)).\(String(random, radix: 36))"
  }
}

/// An item of a source.
package struct RemoteItem: Sendable, Equatable {
  /// The source's identifier of the item, such as the number of an issue. It changes only if the
  /// item moves within the source, such as to another repository.
  package var key: String
  /// The key by which the item was requested, if the item has another key now.
  package var formerKey: String?
  package var url: String
  package var content: TodoContent
  /// The fields that the source stores. In `content`, all other fields have their initial values.
  package var fields: ContentFieldSet
  /// The sort key among the items of the source, smallest first.
  package var order: Int64
  /// The revision that the source reports. Equal revisions mean equal content; different revisions
  /// can also have equal content.
  package var revision: String?
  /// The marker with which the item was created. The note does not contain it.
  package var marker: ItemMarker?
  /// Whether the item is no longer on the open list of the source.
  package var hasLeft: Bool
  /// The time at which the item left the list, if the source reports it.
  package var leftAt: Timestamp?
  /// Whether the item left the list in the same way as the item of a removed todo.
  package var isRemoved = false
  /// Whether the item had left the list and returned.
  package var hasReturned = false
  /// The details, if there are any.
  package var details: SourceDetails?
  /// The name of the user who created the item; `nil` if the source does not report it.
  package var creator: String?
  /// Whether the source reports that changes to the item are restricted.
  package var isLocked = false
  /// Whether the item is in the view of its source, see `RemoteView`.
  package var isInView = true
  /// Whether the source has left out something that the view requires of a new item.
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
  /// Creates an item from an issue on a page of the open list.
  package init(_ issue: Issue) {
    self.init(
      key: String(issue.number), url: issue.url, content: TodoContent(issue), fields: issue.fields,
      order: Self.order(ofNumber: issue.number), hasLeft: false, createdAt: issue.createdAt,
      updatedAt: issue.updatedAt)
    details = issue.details
  }

  /// Returns the sort key for a number: higher numbers sort first.
  package static func order(ofNumber number: Int64) -> Int64 {
    orderMax - min(max(number, 0), orderMax)
  }

  /// The greatest sort key. Every JSON parser can represent it exactly.
  package static let orderMax: Int64 = 1 << 52
}
