/// The place of a source on the network. Two spellings of one source are one address.
package struct RemoteAddress: Hashable, Sendable, CustomStringConvertible {
  /// The kind of the source, as stores record it, such as `github`.
  package let kind: String
  /// The host that limits requests, without a slash at its end, such as `https://api.github.com`.
  package let baseURL: String
  /// The place at the host, as the user spells it, such as `Octo/tasks`.
  package let place: String
  /// The one name of this source: what its lists are kept under, and what `--source` takes.
  package let description: String
  /// The part of its items that is shown; `nil` for all.
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

/// A part of the items of a source. The list has all todos; a view shows those whose items are in it, and
/// those with unsent edits.
package struct RemoteView: Sendable {
  /// Equal for all spellings of one view, and not empty.
  package let key: String
  /// The filter as it is shown to users; `nil` if the name of the source says it.
  package let filter: String?
  /// The labels that a new todo gets.
  package let labels: LabelSet
  /// Whether a new item can be in the view.
  package let acceptsNew: Bool
  /// Whether its items may be in other lists, too.
  package let spansPlaces: Bool

  package init(
    key: String, filter: String?, labels: LabelSet = LabelSet(), acceptsNew: Bool = true,
    spansPlaces: Bool = false
  ) {
    (self.key, self.filter, self.labels, self.acceptsNew) = (key, filter, labels, acceptsNew)
    self.spansPlaces = spansPlaces
  }
}

/// A source of todos on the network: what can be asked of it, one request at a time.
///
/// It sends each request once, or not at all: what to do about a failure is decided by who asks.
package protocol TodoRemote: Sendable {
  var address: RemoteAddress { get }

  /// The fields of a todo that the source stores.
  var fields: ContentFieldSet { get }

  var capabilities: RemoteCapabilities { get }

  /// Sends one request. Cancelling the task ends it. Throws the kinds that Protocol.md lists for a
  /// source; with `rateLimited`, `retryAt` is nil where the source does not say when.
  func perform(_ request: RemoteRequest) async throws(TodoError) -> RemoteAnswer
}

/// One request to a source.
package struct RemoteRequest: Sendable, Equatable {
  package var what: Kind
  /// Where a permanent redirect has led, in the source's own words.
  package var path: String?

  package init(_ what: Kind, path: String? = nil) {
    self.what = what
    self.path = path
  }

  package enum Kind: Sendable, Equatable {
    /// What is on the list now, all of it: the first page.
    case list
    /// The smallest part of the list that shows that it can be read.
    case access
    /// The name of the user at the source.
    case user
    /// What has changed since an instant, in the source's own words; unless nothing has since the
    /// answer with the validator.
    case changes(since: String, RemoteValidator?)
    /// Another page, as the one before named it.
    case page(PageLink)
    /// All items, the newest first, also those that have left the list: the first page. It is also
    /// searched for one's own item by its marker.
    case newest
    case read(key: String)
    /// Creates an item, with a marker if the source recognizes items by it.
    case create(TodoContent, marker: ItemMarker?)
    /// Changes some fields. `marker` is that of the item, which stays. With a `revision`, an item that
    /// has another one is not changed.
    case change(
      key: String, TodoContent, fields: [ContentField], marker: ItemMarker?, revision: String? = nil
    )
    /// Adds a label to an item, or removes one, see `RemoteCapabilities.changesLabelsSingly`.
    case changeLabel(key: String, LabelChange)
    /// Closes or deletes the item of a removed todo, see `RemoteCapabilities.Removal`.
    case remove(key: String, revision: String? = nil)
  }
}

/// A label that an item gets or loses.
package struct LabelChange: Sendable, Equatable {
  package var label: String
  package var isAdded: Bool

  package init(label: String, isAdded: Bool) { (self.label, self.isAdded) = (label, isAdded) }

  /// Whether an item with some labels has this change.
  package func isApplied(in labels: LabelSet) -> Bool { labels.contains(label) == isAdded }

  package func applied(to labels: LabelSet) -> LabelSet {
    var labels = labels
    if isAdded { labels.insert(label) } else { labels.remove(label) }
    return labels
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
    /// All labels of the item, after one was changed.
    case labels(LabelSet)
    /// The item was deleted.
    case deleted
    /// The name that items have of their creator.
    case user(String)
  }
}

/// A page of items, and where the next one is.
package struct RemotePage: Sendable, Equatable {
  package var items: [RemoteItem]
  /// The keys of items that were deleted since the last request.
  package var deleted: [String] = []
  /// A digest of everything on the page, including pull requests: equal for equal pages.
  package var digest: UInt64 = 0
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
    for item in items { include(item.key) }
  }

  /// Adds an entry of the page to its digest (FNV-1a).
  package mutating func include(_ key: String) {
    if digest == 0 { digest = 0xCBF2_9CE4_8422_2325 }
    for byte in key.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    digest = (digest ^ 0xFF) &* 0x100_0000_01B3
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
  /// The most bytes of a new one: two numbers of at most 9 and 13 digits follow the name.
  package static let newBytesMax = nameBytesMax + 24
  private static let nameBytesMax = 32

  package let text: String

  /// A marker as a source or a store has it.
  package init(_ text: String) { self.text = text }

  /// The time at which the marker was made; `nil` if it is of an older version.
  package var createdAt: Timestamp? {
    let parts = text.split(separator: ".")
    guard parts.count >= 3 else { return nil }
    return Int64(parts[parts.count - 2], radix: 36).map { Timestamp(milliseconds: $0) }
  }

  /// A new marker. Of an id, it has only bytes that mean themselves everywhere.
  package init(of id: TodoID, at now: Timestamp, random: Int64) {
    let bytes = id.text.utf8.filter(URLText.isPlain).prefix(Self.nameBytesMax)
    let name = String(decoding: bytes, as: UTF8.self)
    text = "\(name).\(String(now.milliseconds, radix: 36)).\(String(random, radix: 36))"
  }
}

/// A todo as its source has it.
package struct RemoteItem: Sendable, Equatable {
  /// The source's own name of the item: the number of an issue. It changes only with its place in a source
  /// that has several places.
  package var key: String
  /// The key by which it was requested, if it has another one now.
  package var formerKey: String?
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
  /// Its details; nil if it has none.
  package var details: SourceDetails?
  /// The name of the user at the source who has created it; nil if the source does not say.
  package var creator: String?
  /// Whether its source says that not everybody may change it.
  package var isLocked = false
  /// Whether it is in the view of its source, see `RemoteView`.
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
  /// An issue as a page of the source's open list had it.
  package init(_ issue: Issue) {
    self.init(
      key: String(issue.number), url: issue.url, content: TodoContent(issue), fields: issue.fields,
      order: Self.order(ofNumber: issue.number), hasLeft: false, createdAt: issue.createdAt,
      updatedAt: issue.updatedAt)
    details = issue.details
  }

  /// The newest first: a greater number is a smaller order.
  package static func order(ofNumber number: Int64) -> Int64 {
    orderMax - min(max(number, 0), orderMax)
  }

  /// The greatest order, which every reader of JSON can hold.
  package static let orderMax: Int64 = 1 << 52
}
