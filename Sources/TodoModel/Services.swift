/// An issue, as a service has returned it.
package struct Issue: Sendable, Equatable {
  /// The number of the issue in its repository.
  package var number: Int64
  package var url: String
  package var title: String
  /// The text of the issue; `""` if the issue has none.
  package var body: String
  package var isClosed: Bool
  /// The labels; `nil` if the response does not contain labels.
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
  /// The fields of a todo that issues have.
  package static let fields: ContentFieldSet = [.title, .note, .done, .labels]

  /// The fields that a todo gets from this issue. Labels are left out if the response did not
  /// contain them.
  package var fields: ContentFieldSet {
    var fields = Self.fields
    if labels == nil { fields.remove(.labels) }
    return fields
  }
}

extension ContentField {
  /// The fields of a todo that issues do not have. They are never sent to the source, and syncs do
  /// not change them.
  package static let localOnly = allCases.filter { !Issue.fields.contains($0) }
}

extension TodoContent {
  /// Creates the content of a todo from an issue. All texts are copied unchanged.
  package init(_ issue: Issue) {
    self.init(
      title: issue.title, note: issue.body, isDone: issue.isClosed,
      labels: issue.labels ?? LabelSet())
  }
}

/// A page of a list of issues, and the link to the next page.
package struct IssuePage: Sendable, Equatable {
  package var issues: [Issue]
  /// The link to the next page; `nil` on the last page.
  package var next: PageLink?
  /// The number of pages; `nil` if the service does not report it.
  package var pageCount: Int?

  package init(issues: [Issue], next: PageLink?, pageCount: Int? = nil) {
    self.issues = issues
    self.next = next
    self.pageCount = pageCount
  }
}

/// The URL of a page of a list, exactly as the service has returned it.
///
/// To detect loops, a link also stores the URL of one earlier page (Brent's algorithm): the last
/// one whose number is a power of two. A loop is detected before any of its pages is read a fourth
/// time.
package struct PageLink: Sendable, Equatable {
  /// The maximum number of pages of one list.
  package static let pagesMax = 10_000

  package let url: String
  /// The number of the page, counted from 1.
  package let number: Int
  private var landmark: String?

  package init(url: String, number: Int = 1) {
    self.url = url
    self.number = number
  }

  /// Returns the link to the page that follows this one.
  ///
  /// - Throws: `invalidResponse` if the links form a loop, or there are more than `pagesMax` pages.
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

/// A service that registers accounts.
package protocol RegisterService: Sendable {
  /// Registers an account, and returns its access token.
  ///
  /// - Throws: `registrationFailed` with the reason that the service has returned; the errors of a
  ///   failed connection.
  func register(username: String, password: Secret) async throws(TodoError) -> Secret
}

/// A service that checks the passwords of profiles.
package protocol AccountService: Sendable {
  /// Checks the password of a profile. If the profile has no account, the login always succeeds.
  ///
  /// - Throws: `invalidCredentials` if the password is wrong.
  func authenticate(name: String, password: Secret?) async throws(TodoError)
}

/// A store for the access tokens of accounts, separate from the store of todos.
package protocol CredentialStore: Sendable {
  func save(_ token: Secret, for account: String) throws(TodoError)
  func token(for account: String) throws(TodoError) -> Secret?
}

/// All services that workflows use. It is a class, because most workflows contain it and workflows
/// are copied often.
package final class TodoServices: Sendable {
  package let store: any TodoStore
  /// The sources of todos, at least one.
  package let sources: [TodoSource]
  package let register: any RegisterService
  package let accounts: any AccountService
  package let credentials: any CredentialStore
  /// A message for the user about what happened when the store was opened, such as the renaming of
  /// a damaged file; `nil` without a message.
  package let notice: String?
  /// The services for syncs; `nil` if lists are never synced.
  package let sync: SyncServices?
  /// The drafts of unsaved text; `nil` for a store in memory.
  package let drafts: DraftServices?
  /// Whether the method `discovered` has looked for the lists of at least one host (a server with
  /// several lists). If so, lists may be added during a session.
  package let hasHosts: Bool

  package init(
    store: any TodoStore, sources: [TodoSource] = [.local], register: any RegisterService,
    accounts: any AccountService, credentials: any CredentialStore, notice: String? = nil,
    sync: SyncServices? = nil, drafts: DraftServices? = nil, hasHosts: Bool = false
  ) {
    self.hasHosts = hasHosts
    self.store = store
    self.sources = sources
    self.register = register
    self.accounts = accounts
    self.credentials = credentials
    self.notice = notice
    self.sync = sync
    self.drafts = drafts
  }

  /// The clock for the current day. All workflows use the same one.
  package var days: DayClock { store.days }

  /// Returns a copy with some services replaced. A service stays unchanged if its parameter is
  /// `nil`.
  package func with(
    sources: [TodoSource]? = nil, accounts: (any AccountService)? = nil, notice: String? = nil,
    sync: SyncServices? = nil,
    drafts: DraftServices? = nil, hasHosts: Bool? = nil
  ) -> TodoServices {
    TodoServices(
      store: store, sources: sources ?? self.sources, register: register,
      accounts: accounts ?? self.accounts,
      credentials: credentials, notice: notice ?? self.notice, sync: sync ?? self.sync,
      drafts: drafts ?? self.drafts, hasHosts: hasHosts ?? self.hasHosts)
  }
}

extension TodoServices: Equatable {
  package static func == (a: TodoServices, b: TodoServices) -> Bool { a === b }
}

/// A source of todos: the local store, a list on the network, or a host with several lists.
package struct TodoSource: Sendable {
  /// The name under which the lists of the source are stored.
  package var name: String
  /// The client for a source on the network; `nil` for the local source.
  package var remote: (any TodoRemote)?
  /// The maximum lengths of the fields of the source's todos.
  package var limits: FieldLimits
  /// The fields of a todo that the source stores.
  package var fields: [ContentField]
  /// The title of the list at its host, to be shown to users; `nil` if it has none.
  package var displayName: String?
  /// The client that discovers the lists of a host; `nil` if the source is a single list.
  package var listDiscovery: (any ListDiscovery)?

  /// The selection of the source's todos that is shown; `nil` to show all.
  package var view: RemoteView?

  /// The kinds of details that todos of the source can have.
  package var details: Set<SourceDetail> { remote?.capabilities.details ?? [] }

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - capabilities: The capabilities of the source; `nil` for those of `remote`.
  ///   - view: The selection of todos that is shown; `nil` for the view of `remote`.
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

  /// The name of the source on the wire, such as `local`.
  package var wireName: String { Self.wireName(of: TodoListKey(profile: "", source: name)) }

  /// The name that users see: the title of the list at its host. Without a title, it is the name on
  /// the wire, followed by the filter.
  package var title: String { displayName ?? wireName + (view?.filter.map { "?\($0)" } ?? "") }

  /// Returns the name on the wire for the source of a list.
  package static func wireName(of list: TodoListKey) -> String {
    list.isLocal ? "local" : list.source
  }
}

/// The settings and services that syncs need besides the source and the store's journal.
package struct SyncServices: Sendable {
  /// The policy for starting syncs.
  package var kind: SyncKind
  /// The name of this server process. It is unique among all servers that use the same store file.
  package var owner: String
  /// Returns whether the server process with the given name is running.
  package var isAlive: @Sendable (String) -> Bool
  package var now: @Sendable () -> Timestamp
  /// Waits for a number of milliseconds, or until its task is cancelled.
  package var sleep: @Sendable (Int64) async -> Void
  /// Returns a random number in a range. Random delays spread the requests of several servers over
  /// time.
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

/// The clock, the random ids and the threads that the program uses. Tests replace them.
package struct Environment: Sendable {
  package var now: @Sendable () -> Timestamp
  package var newID: @Sendable () -> TodoID
  /// The thread for work that blocks for a long time, such as hashing.
  package var offload: Offload
  /// Waits for a number of milliseconds, or until its task is cancelled.
  package var sleep: @Sendable (Int64) async -> Void
  package var days: DayClock

  /// Creates an environment.
  ///
  /// - Parameter days: The clock for the current day; `nil` for the days of UTC.
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

  /// Waits for a number of milliseconds, without blocking a thread.
  package static let taskSleep: @Sendable (Int64) async -> Void = { milliseconds in
    try? await Task.sleep(for: .milliseconds(milliseconds))
  }
}

extension Environment {
  /// The environment of the running program: the system's clock, random ids and new threads.
  package static let live = Environment(
    now: { .now }, newID: { TodoID(randomText()) }, offload: .thread, days: .live)

  /// Returns a random text of 75 bits: 15 letters and digits, without letters that are easily
  /// confused.
  ///
  /// A `String` of at most 15 bytes needs no allocation. With 16 letters, a save of a document with
  /// 100,000 todos took 9.1 s instead of 6.8 s (`Tests/LanguageServer/benchmark.py mark`).
  private static func randomText() -> String {
    let letters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    var generator = SystemRandomNumberGenerator()
    let high = generator.next()
    let low = generator.next()
    return String(
      decoding: (0..<15).map { index in
        let bits = index < 12 ? high >> UInt64(index * 5) : low >> UInt64((index - 12) * 5)
        return letters[Int(bits & 31)]
      }, as: UTF8.self)
  }
}
