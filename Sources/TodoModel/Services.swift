/// An issue as its service delivered it, before it is a todo.
package struct Issue: Sendable, Equatable {
  /// The service's own number of the issue: what it is recognised by on the next load.
  package var number: Int64
  package var url: String
  package var title: String
  /// `""` when the service delivered none.
  package var body: String
  package var isClosed: Bool
  /// `nil` when the service delivered none, not even an empty set.
  package var labels: LabelSet?
  package var details: SourceDetails?
  package var createdAt: Timestamp?
  package var updatedAt: Timestamp?

  package init(
    number: Int64, url: String, title: String, body: String, isClosed: Bool,
    labels: LabelSet? = nil, details: SourceDetails? = nil, createdAt: Timestamp? = nil,
    updatedAt: Timestamp? = nil
  ) {
    self.labels = labels
    self.details = details
    self.number = number
    self.url = url
    self.title = title
    self.body = body
    self.isClosed = isClosed
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension Issue {
  /// The fields of a todo that an issue has.
  package static let fields: ContentFieldSet = [.title, .note, .done, .labels]

  /// The fields that were delivered of this one.
  package var fields: ContentFieldSet {
    var fields = Self.fields
    if labels == nil { fields.remove(.labels) }
    return fields
  }
}

extension ContentField {
  /// The fields that an issue does not have: they are never sent, and no load changes them.
  package static let localOnly = allCases.filter { !Issue.fields.contains($0) }

  /// The fields that a source does not store.
  ///
  /// - Parameter name: What the lists of the source are kept under.
  package static func localFields(ofSource name: String) -> [ContentField] {
    name.utf8.starts(with: CalDAVAddress.prefix.utf8) ? [] : localOnly
  }
}

extension TodoContent {
  /// What a source delivered, as it is.
  package init(_ issue: Issue) {
    self.init(
      title: issue.title, note: issue.body, isDone: issue.isClosed,
      labels: issue.labels ?? LabelSet())
  }
}

/// One page of a service's list, and where the next one is.
package struct IssuePage: Sendable, Equatable {
  package var issues: [Issue]
  /// Nil on the last page.
  package var next: PageLink?
  /// How many pages there are, where the service says so.
  package var pageCount: Int?

  package init(issues: [Issue], next: PageLink?, pageCount: Int? = nil) {
    self.issues = issues
    self.next = next
    self.pageCount = pageCount
  }
}

/// Where a page is, in the service's own words; followed verbatim.
///
/// It finds a circle with one earlier link in place of all of them (Brent's algorithm): that of the
/// last page whose number is a power of two. So a circle is passed through at most three times.
package struct PageLink: Sendable, Equatable {
  /// The most pages of one list.
  package static let pagesMax = 10_000

  package let url: String
  /// Which page it is, from 1 on.
  package let number: Int
  private var landmark: String?

  package init(url: String, number: Int = 1) {
    self.url = url
    self.number = number
  }

  /// The page after this one, at another address than the pages before it.
  ///
  /// - Throws: `invalidResponse` if it was one of the pages before it, or is one too many.
  package func next(_ url: String) throws(TodoError) -> PageLink {
    guard url != self.url, url != landmark else {
      throw TodoError(.invalidResponse, "The source's pages lead in a circle.")
    }
    guard number < Self.pagesMax else {
      throw TodoError(.invalidResponse, "The source has more than \(Self.pagesMax) pages.")
    }
    var next = PageLink(url: url, number: number + 1)
    next.landmark = number & (number - 1) == 0 ? self.url : landmark
    return next
  }
}

/// Makes accounts.
package protocol RegisterService: Sendable {
  /// Makes an account and answers its token. Throws `registrationFailed` with the service's own
  /// reason, or the kinds of a failed connection.
  func register(username: String, password: Secret) async throws(TodoError) -> Secret
}

/// Checks who may use a profile.
package protocol AccountService: Sendable {
  /// Returns when `name` may be used: it has no account, or the password is right.
  /// Throws `invalidCredentials`.
  func authenticate(name: String, password: Secret?) async throws(TodoError)
}

/// Keeps tokens out of everything else.
package protocol CredentialStore: Sendable {
  func save(_ token: Secret, for account: String) throws(TodoError)
  func token(for account: String) throws(TodoError) -> Secret?
}

/// Everything outside that the workflows use. Injected at the root, and held by nearly every
/// workflow, which are copied often: so they are held by reference.
package final class TodoServices: Sendable {
  package let store: any TodoStore
  /// Where todos come from, at least one.
  package let sources: [TodoSource]
  package let register: any RegisterService
  package let accounts: any AccountService
  package let credentials: any CredentialStore
  /// What the user has to be told about the opening, such as that a damaged file was set aside.
  package let notice: String?
  /// What the lists are brought together with their sources by; nil: they never are.
  package let sync: SyncServices?
  /// `nil` for a store that does not survive the process.
  package let drafts: DraftServices?

  package init(
    store: any TodoStore, sources: [TodoSource] = [.local], register: any RegisterService,
    accounts: any AccountService, credentials: any CredentialStore, notice: String? = nil,
    sync: SyncServices? = nil, drafts: DraftServices? = nil
  ) {
    self.store = store
    self.sources = sources
    self.register = register
    self.accounts = accounts
    self.credentials = credentials
    self.notice = notice
    self.sync = sync
    self.drafts = drafts
  }

  /// The current day, for everything that depends on it.
  package var days: DayClock { store.days }

  /// The same, but for what is given.
  package func with(
    accounts: (any AccountService)? = nil, notice: String? = nil, sync: SyncServices? = nil,
    drafts: DraftServices? = nil
  ) -> TodoServices {
    TodoServices(
      store: store, sources: sources, register: register, accounts: accounts ?? self.accounts,
      credentials: credentials, notice: notice ?? self.notice, sync: sync ?? self.sync,
      drafts: drafts ?? self.drafts)
  }
}

/// One place that todos come from.
package struct TodoSource: Sendable {
  /// What its lists are kept under.
  package var name: String
  /// Nil for the local one.
  package var remote: (any TodoRemote)?
  /// The longest values of its todos.
  package var limits: FieldLimits

  /// The part of its todos that is shown; `nil` for all.
  package var view: RemoteView?

  /// The details that its todos can have.
  package var details: Set<SourceDetail> { remote?.capabilities.details ?? [] }

  /// - Parameters:
  ///   - limits: Nil for those of `remote`.
  ///   - view: Nil for that of `remote`.
  package init(
    name: String, remote: (any TodoRemote)?, limits: FieldLimits? = nil, view: RemoteView? = nil
  ) {
    self.name = name
    self.view = view ?? remote?.address.view
    self.remote = remote
    self.limits = limits ?? remote?.capabilities.limits ?? .none
  }

  package static let local = TodoSource(name: "", remote: nil)

  /// What it is called on the wire.
  package var wireName: String { Self.wireName(of: TodoListKey(profile: "", source: name)) }

  /// The name with its filter, for users.
  package var title: String { wireName + (view?.filter.map { "?\($0)" } ?? "") }

  /// The name of the source of a list.
  package static func wireName(of list: TodoListKey) -> String {
    list.isLocal ? "local" : list.source
  }
}

/// The configuration of syncs, beside a source and the journal of the store.
package struct SyncServices: Sendable {
  /// Whether it begins by itself.
  package var kind: SyncKind
  /// Names this server among all on one file.
  package var owner: String
  /// Whether the server of a name is there.
  package var isAlive: @Sendable (String) -> Bool
  package var now: @Sendable () -> Timestamp
  /// Returns after so many milliseconds, or when its task is cancelled.
  package var sleep: @Sendable (Int64) async -> Void
  /// Any number of a range, so that servers do not come back all at once.
  package var jitter: @Sendable (ClosedRange<Int64>) -> Int64 = { Int64.random(in: $0) }
  package let hostRequests: HostRequestQueue

  package init(
    kind: SyncKind = .auto, owner: String, isAlive: @escaping @Sendable (String) -> Bool,
    now: @escaping @Sendable () -> Timestamp, sleep: @escaping @Sendable (Int64) async -> Void,
    locks: (any HostLocks)? = nil
  ) {
    self.kind = kind
    self.owner = owner
    self.isAlive = isAlive
    self.now = now
    self.sleep = sleep
    hostRequests = HostRequestQueue(locks: locks, sleep: sleep)
  }
}

/// What the world gives that a test must hold still: the time, and fresh names.
package struct Environment: Sendable {
  package var now: @Sendable () -> Timestamp
  package var newID: @Sendable () -> TodoID
  /// Runs what blocks for long (hashing, a name look-up) off the caller's thread.
  package var offload: Offload
  /// Returns after so many milliseconds, or when its task is cancelled.
  package var sleep: @Sendable (Int64) async -> Void
  package var days: DayClock

  /// - Parameter days: By default the days of UTC on this clock.
  package init(
    now: @escaping @Sendable () -> Timestamp, newID: @escaping @Sendable () -> TodoID,
    offload: Offload, sleep: @escaping @Sendable (Int64) async -> Void = Environment.taskSleep,
    days: DayClock? = nil
  ) {
    self.now = now
    self.newID = newID
    self.offload = offload
    self.sleep = sleep
    self.days =
      days
      ?? DayClock(
        now: now, utcOffset: { _ in 0 },
        wait: { end in await sleep(end.milliseconds - now().milliseconds) })
  }

  /// Sleeps without a thread.
  package static let taskSleep: @Sendable (Int64) async -> Void = { milliseconds in
    try? await Task.sleep(for: .milliseconds(milliseconds))
  }
}

extension Environment {
  /// The world as it is.
  package static let live = Environment(
    now: { .now }, newID: { TodoID(randomText()) }, offload: .thread, days: .live)

  /// 80 random bits in letters and digits that are not mistaken for each other.
  private static func randomText() -> String {
    let letters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    var generator = SystemRandomNumberGenerator()
    let high = generator.next()
    let low = generator.next()
    return String(
      decoding: (0..<16).map { index in
        let bits = index < 12 ? high >> UInt64(index * 5) : low >> UInt64((index - 12) * 5)
        return letters[Int(bits & 31)]
      }, as: UTF8.self)
  }
}
