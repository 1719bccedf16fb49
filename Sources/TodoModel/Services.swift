/// An issue as its service returned it.
package struct Issue: Sendable, Equatable {
  /// The service's number of the issue, which identifies it in later loads.
  package var number: Int64
  package var url: String
  package var title: String
  /// The text of the issue; `""` if the service returned none.
  package var body: String
  package var isClosed: Bool
  /// The labels; `nil` if the service returned no labels member at all.
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

  /// The fields that the service returned for this issue.
  package var fields: ContentFieldSet {
    var fields = Self.fields
    if labels == nil { fields.remove(.labels) }
    return fields
  }
}

extension ContentField {
  /// The fields that an issue does not have: they are never sent, and no load changes them.
  package static let localOnly = allCases.filter { !Issue.fields.contains($0) }
}

extension TodoContent {
  /// The content of an issue, unchanged.
  package init(_ issue: Issue) {
    self.init(
      title: issue.title, note: issue.body, isDone: issue.isClosed,
      labels: issue.labels ?? LabelSet())
  }
}

/// A page of a service's list of issues, and the link to the next page.
package struct IssuePage: Sendable, Equatable {
  package var issues: [Issue]
  /// The link to the next page; `nil` on the last page.
  package var next: PageLink?
  /// The number of pages, if the service reports it.
  package var pageCount: Int?

  package init(issues: [Issue], next: PageLink?, pageCount: Int? = nil) {
    self.issues = issues
    self.next = next
    self.pageCount = pageCount
  }
}

/// The URL of a page, used exactly as the service returned it.
///
/// Loops are detected with one earlier link instead of all of them (Brent's algorithm): the link of
/// the last page whose number is a power of two. A loop is followed at most three times.
package struct PageLink: Sendable, Equatable {
  /// The most pages of one list.
  package static let pagesMax = 10_000

  package let url: String
  /// The number of the page, from 1.
  package let number: Int
  private var landmark: String?

  package init(url: String, number: Int = 1) {
    self.url = url
    self.number = number
  }

  /// Returns the link to the page after this one.
  ///
  /// - Throws: `invalidResponse` if the pages form a loop, or exceed `pagesMax`.
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

/// Creates accounts.
package protocol RegisterService: Sendable {
  /// Creates an account and returns its token.
  ///
  /// - Throws: `registrationFailed` with the reason that the service returned; the errors of a
  ///   failed connection.
  func register(username: String, password: Secret) async throws(TodoError) -> Secret
}

/// Checks the passwords of profiles.
package protocol AccountService: Sendable {
  /// Returns if `name` may be used, because it has no account or the password is correct.
  ///
  /// - Throws: `invalidCredentials`.
  func authenticate(name: String, password: Secret?) async throws(TodoError)
}

/// Stores the tokens of accounts, separately from all other data.
package protocol CredentialStore: Sendable {
  func save(_ token: Secret, for account: String) throws(TodoError)
  func token(for account: String) throws(TodoError) -> Secret?
}

/// The services that the workflows use. A class, because nearly every workflow contains them and
/// workflows are copied often.
package final class TodoServices: Sendable {
  package let store: any TodoStore
  /// The sources of todos, at least one.
  package let sources: [TodoSource]
  package let register: any RegisterService
  package let accounts: any AccountService
  package let credentials: any CredentialStore
  /// A message for the user about opening the store, such as that a damaged file was renamed.
  package let notice: String?
  /// The services for syncs; `nil` if lists are never synced.
  package let sync: SyncServices?
  /// The drafts; `nil` for a store in memory.
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

  /// Returns a copy with other values for the parameters that are not `nil`.
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

extension TodoServices: Equatable {
  package static func == (a: TodoServices, b: TodoServices) -> Bool { a === b }
}

/// A source of todos.
package struct TodoSource: Sendable {
  /// The name under which its lists are stored.
  package var name: String
  /// The source on the network; `nil` for the local one.
  package var remote: (any TodoRemote)?
  /// The longest values of its todos.
  package var limits: FieldLimits
  /// The fields of a todo that the source stores.
  package var fields: [ContentField]
  /// Its name at its host; `nil` if it has none.
  package var displayName: String?
  /// Finds the lists in place of which this source is; `nil` for a list.
  package var listDiscovery: (any ListDiscovery)?

  /// The part of its todos that is shown; `nil` for all.
  package var view: RemoteView?

  /// The details that its todos can have.
  package var details: Set<SourceDetail> { remote?.capabilities.details ?? [] }

  /// - Parameters:
  ///   - capabilities: Nil for those of `remote`.
  ///   - view: Nil for that of `remote`.
  package init(
    name: String, remote: (any TodoRemote)?, capabilities: RemoteCapabilities? = nil,
    view: RemoteView? = nil
  ) {
    let capabilities = capabilities ?? remote?.capabilities
    self.name = name
    self.view = view ?? remote?.address.view
    self.remote = remote
    limits = capabilities?.limits ?? .none
    fields = ContentField.allCases.filter { capabilities?.fields.contains($0) ?? true }
  }

  package static let local = TodoSource(name: "", remote: nil)

  /// The name on the wire.
  package var wireName: String { Self.wireName(of: TodoListKey(profile: "", source: name)) }

  /// The name with its filter, for users.
  package var title: String { displayName ?? wireName + (view?.filter.map { "?\($0)" } ?? "") }

  /// The name of the source of a list.
  package static func wireName(of list: TodoListKey) -> String {
    list.isLocal ? "local" : list.source
  }
}

/// The configuration of syncs, beside a source and the journal of the store.
package struct SyncServices: Sendable {
  /// Whether syncs start automatically.
  package var kind: SyncKind
  /// The name of this server, unique among all that use the file.
  package var owner: String
  /// Whether the server with this name is running.
  package var isAlive: @Sendable (String) -> Bool
  package var now: @Sendable () -> Timestamp
  /// Returns after this number of milliseconds, or when its task is cancelled.
  package var sleep: @Sendable (Int64) async -> Void
  /// Returns a random number of a range, to spread the requests of several servers.
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

/// The clock, random ids and threads that tests replace.
package struct Environment: Sendable {
  package var now: @Sendable () -> Timestamp
  package var newID: @Sendable () -> TodoID
  /// Runs work that blocks for long, such as hashing, on another thread than the caller's.
  package var offload: Offload
  /// Returns after this number of milliseconds, or when its task is cancelled.
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

  /// Sleeps without blocking a thread.
  package static let taskSleep: @Sendable (Int64) async -> Void = { milliseconds in
    try? await Task.sleep(for: .milliseconds(milliseconds))
  }
}

extension Environment {
  /// The system's clock, random ids and threads.
  package static let live = Environment(
    now: { .now }, newID: { TodoID(randomText()) }, offload: .thread, days: .live)

  /// Returns 80 random bits as letters and digits that are not easily confused.
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
