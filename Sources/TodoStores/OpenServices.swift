import SQLiteDatabase
import System
import TodoAccounts
import TodoDatabase
import TodoModel
import TodoRemotes

extension TodoServices {
  /// Opens the store, the sources and the account service that the options specify, without using
  /// the network.
  ///
  /// - Parameters:
  ///   - dataFolder: The folder of the default store and the credentials. With `nil`, nothing
  ///     is written to disk, except a store whose path is in the options.
  ///   - author: The author that the log of changes records.
  /// - Throws: `TodoError` of kind `storage` if the store cannot be opened; `validation` or
  ///   `insecureURL` for an unusable URL.
  package static func open(
    _ options: ServerOptions, dataFolder: String?, token: GitHubToken?,
    transport: any HTTPTransport, environment: Environment, author: ChangeAuthor = .local
  ) throws(TodoError) -> TodoServices {
    let location = Self.location(of: options.store, in: dataFolder)
    // Tokens are not stored for longer than the accounts, which are in memory here.
    let isTransient = location == .memory && options.registerURL == nil
    let credentials: any CredentialStore =
      switch (isTransient ? nil : dataFolder, options.credentials) {
      case (nil, _): MemoryCredentials()
      case (let folder?, .file): FileCredentials(path: "\(folder)/credentials.json")
      case (_?, .keyring): KeyringCredentials()
      }
    return try compose(
      options,
      Dependencies(
        location: location, credentials: credentials, token: token,
        caldav: CalDAVEnvironment.ofUser(options), transport: transport,
        environment: environment, author: author, owner: LeaseOwner.own,
        isAlive: LeaseOwner.isAlive))
  }

  /// Opens services that cannot reach anything outside of the process: the store and the
  /// credentials are in memory, and the caller provides the time, ids, the network and the token.
  ///
  /// This is for options from an untrusted file. They cannot refer to a path, a program, an
  /// environment variable or another process.
  ///
  /// - Throws: The error of `isolationProblem`; `validation` or `insecureURL` for an unusable URL.
  package static func openIsolated(
    _ options: ServerOptions, token: Secret?, transport: any HTTPTransport,
    environment: Environment
  ) throws(TodoError) -> TodoServices {
    if let problem = isolationProblem(options) { throw problem }
    let owner = "isolated"
    return try compose(
      options,
      Dependencies(
        location: .memory, credentials: MemoryCredentials(),
        token: token.map { GitHubToken(fixed: $0) }, caldav: .isolated, transport: transport,
        environment: environment, author: .local, owner: owner, isAlive: { $0 == owner }))
  }

  /// Returns a `storage` error if the options contain the path of a store, because isolated
  /// services open no files; `nil` otherwise.
  package static func isolationProblem(_ options: ServerOptions) -> TodoError? {
    guard case .sqlite(let path?) = options.store else { return nil }
    return .storage(
      "A replay opens no file, so the store sqlite:\(path) was not used. Write memory instead.")
  }

  /// The dependencies of services, besides their options.
  private struct Dependencies {
    var location: SQLiteLocation
    var credentials: any CredentialStore
    var token: GitHubToken?
    var caldav: CalDAVEnvironment
    var transport: any HTTPTransport
    var environment: Environment
    var author: ChangeAuthor
    /// The identifier of this server, which is unique among the servers with the same store.
    var owner: String
    var isAlive: @Sendable (String) -> Bool
  }

  private static func compose(
    _ options: ServerOptions, _ outside: Dependencies
  ) throws(TodoError) -> TodoServices {
    let (location, environment) = (outside.location, outside.environment)
    let database = try Database(at: location, schema: .todos, now: environment.now)
    if let problem = location.hostLocksProblem { throw .storage(problem.message) }
    let accounts = EmbeddedAccounts(database: database, environment: environment)
    var register: any RegisterService = accounts
    if let url = options.registerURL {
      register = ServiceAccounts(
        try HTTPRegister(url: url, transport: outside.transport), beside: accounts)
    }
    let lists = try lists(options, outside, over: database)
    return TodoServices(
      store: lists.store, sources: lists.sources, register: register, accounts: accounts,
      credentials: outside.credentials, notice: database.notice, sync: lists.sync,
      drafts: lists.drafts)
  }

  /// The store of a session's todos, with its sources, synchronization and drafts.
  private struct Lists {
    var store: any TodoStore
    var sources: [TodoSource]
    var sync: SyncServices?
    var drafts: DraftServices?
  }

  private static func lists(
    _ options: ServerOptions, _ outside: Dependencies, over database: Database
  ) throws(TodoError) -> Lists {
    let environment = outside.environment
    func remote(_ kind: SourceKind) throws(TodoError) -> (any TodoRemote)? {
      if case .caldav(let address) = kind {
        return outside.caldav.remote(address, outside.transport, environment)
      }
      guard let source = GitHubSource(kind, options) else { return nil }
      return try Self.remote(source, outside.token, outside.transport, environment)
    }
    if options.store == .source {
      guard options.sources.count == 1, let kind = options.sources.first,
        let remote = try remote(kind)
      else {
        throw .validation([FieldProblem(field: "store", message: StoreKind.sourceRule)])
      }
      return Lists(
        store: SourceStore(over: remote, environment: environment),
        sources: [
          TodoSource(
            name: kind.listName, remote: nil, capabilities: remote.capabilities,
            view: remote.address.view)
        ])
    }
    var sources: [TodoSource] = []
    for kind in options.sources {
      if case .caldav(let address) = kind, address.path == nil {
        sources.append(outside.caldav.host(address, outside.transport, environment))
        continue
      }
      sources.append(
        try remote(kind).map { TodoSource(name: kind.listName, remote: $0) } ?? .local)
    }
    let views = sources.compactMap { source in source.view.map { (source.name, $0) } }
    let store = SQLiteStore(
      over: database, environment: environment, author: outside.author,
      views: Dictionary(uniqueKeysWithValues: views))
    return Lists(
      store: store, sources: sources,
      sync: SyncServices(
        kind: options.sync, owner: outside.owner, isAlive: outside.isAlive,
        now: environment.now, sleep: environment.sleep, locks: outside.location.hostLocks),
      drafts: database.path.map { path in
        DraftServices(log: FileDraftLog(beside: path, store: store), store: store)
      })
  }

  private static func remote(
    _ source: GitHubSource, _ token: GitHubToken?, _ transport: any HTTPTransport,
    _ environment: Environment
  ) throws(TodoError) -> any TodoRemote {
    let offload = environment.offload
    let variable = source.tokenVariable
    if offload == .inline {
      // In a deterministic environment, the token must be looked up now: a lookup on first use
      // would happen at an arbitrary time.
      let known = token?.token(
        for: source.address.baseURL, replacesGitHubCom: source.replacesGitHubCom)
      return try GitHubRemote.checked(
        source.address, token: { known }, tokenVariable: variable, transport: transport,
        now: environment.now)
    }
    var search: (@Sendable () async -> Secret?)?
    if let token {
      search = {
        try? await offload.run { () throws(TodoError) in
          token.token(for: source.address.baseURL, replacesGitHubCom: source.replacesGitHubCom)
        }
      }
    }
    let find = LazyToken(search)
    return try GitHubRemote.checked(
      source.address, token: { await find.value }, tokenVariable: variable, transport: transport,
      now: environment.now)
  }

  private static func location(of store: StoreKind, in dataFolder: String?) -> SQLiteLocation {
    switch store {
    case .memory: .memory
    case .sqlite(let path?): .file(path)
    // If the store is a source, the local file contains the accounts.
    case .sqlite(nil), .source: dataFolder.map { .file("\($0)/todos.sqlite") } ?? .memory
    }
  }
}

extension StoreKind {
  static let sourceRule =
    "The store source needs exactly one source on the network, such as github:OWNER/REPO."
}

/// A source of todos whose API is like GitHub's, and the name of its list.
struct GitHubSource {
  let address: GitHubAddress
  let name: String
  /// Whether the source is github.com, or the server that is configured in place of github.com
  /// (`githubURL`).
  let replacesGitHubCom: Bool

  /// The environment variable that contains the token for the source.
  var tokenVariable: String {
    GitHubToken.variable(for: address.baseURL, replacesGitHubCom: replacesGitHubCom)
  }

  /// Creates a source; `nil` for kinds of sources whose API is not like GitHub's.
  init?(_ kind: SourceKind, _ options: ServerOptions) {
    name = kind.listName
    switch kind {
    case .local, .caldav: return nil
    case .github(let issues):
      address = GitHubAddress(
        baseURL: options.githubURL ?? GitHubAddress.defaultURL, issues: issues)
      replacesGitHubCom = true
    case .remote(let address):
      self.address = address
      replacesGitHubCom = false
    }
  }
}

extension Schema {
  /// The schema of a store's file, with all tables.
  package static let todos = Schema(
    // "todo"
    applicationID: 0x746F_646F, version: 24, versionMin: 4,
    parts: [
      TodoSchema(), AccountSchema(), DocumentSchema(), DraftSchema(), ExportSchema(),
      AgendaSchema(), EntrySchema(), MarkSchema(),
    ])
}

extension SQLiteStore {
  /// Opens a database, and a store of the todos in it.
  ///
  /// - Throws: `TodoError` of kind `storage` (see `Database`).
  package convenience init(
    at location: SQLiteLocation, environment: Environment, onDamage: DamageRule = .setAside
  ) throws(TodoError) {
    self.init(
      over: try Database(
        at: location, schema: .todos, now: environment.now, onDamage: onDamage),
      environment: environment)
  }
}

extension SQLiteLocation {
  /// The locks for requests to hosts; `nil` for a store in memory, which no other server shares.
  fileprivate var hostLocks: HostLockFile? {
    switch self {
    case .memory: nil
    case .file(let path): HostLockFile(beside: path)
    }
  }

  /// The problem with the file of the locks; `nil` if the file is trusted.
  fileprivate var hostLocksProblem: FileTrust.Problem? {
    switch self {
    case .memory: nil
    case .file(let path): FileTrust.problem(ofFile: HostLockFile.path(beside: path))
    }
  }
}
