import Synchronization
import TodoModel

/// A fake source that returns given responses.
final class FakeRemote: TodoRemote {
  let address = GitHubAddress("github:octo/tasks")!.remote
  let capabilities: RemoteCapabilities
  private let answers: [Result<RemoteAnswer.Body, TodoError>]
  private let asked = Mutex<[RemoteRequest.Kind]>([])

  init(_ answers: [Result<RemoteAnswer.Body, TodoError>] = []) {
    self.answers = answers
    var capabilities = RemoteCapabilities(fields: .all)
    (capabilities.recognition, capabilities.removal) = (.marker, .closes)
    capabilities.changes = .time
    self.capabilities = capabilities
  }

  /// The kinds of the requests, in order.
  var requests: [RemoteRequest.Kind] { asked.withLock { $0 } }

  func perform(_ request: RemoteRequest) async throws(TodoError) -> RemoteAnswer {
    let number = asked.withLock { asked in
      asked.append(request.kind)
      return asked.count
    }
    guard number <= answers.count else { throw TodoError(.notFound, "No more is made up.") }
    return RemoteAnswer(try answers[number - 1].get())
  }
}

/// A fake service that gives every account the same response.
struct FakeRegisterService: RegisterService {
  var answer: Result<Secret, TodoError> = .success(Secret("token"))

  func register(username: String, password: Secret) async throws(TodoError) -> Secret {
    try answer.get()
  }
}

/// A fake service that gives every login the same response.
struct FakeAccountService: AccountService {
  var failure: TodoError?

  func authenticate(name: String, password: Secret?) async throws(TodoError) {
    if let failure { throw failure }
  }
}

/// A fake token store that records saved tokens.
final class FakeCredentialStore: CredentialStore {
  private let tokens = Mutex<[String: Secret]>([:])
  private let failure: TodoError?
  private let unreadable: TodoError?

  init(failure: TodoError? = nil, unreadable: TodoError? = nil) {
    self.failure = failure
    self.unreadable = unreadable
  }

  func save(_ token: Secret, for account: String) throws(TodoError) {
    if let failure { throw failure }
    tokens.withLock { $0[account] = token }
  }

  func token(for account: String) throws(TodoError) -> Secret? {
    if let unreadable { throw unreadable }
    return tokens.withLock { $0[account] }
  }
}

extension TodoServices {
  static func faked(
    store: any TodoStore = TodoStoreSpy(), sources: [TodoSource] = [.local],
    sync: SyncServices? = nil,
    register: any RegisterService = FakeRegisterService(),
    accounts: any AccountService = FakeAccountService(),
    credentials: any CredentialStore = FakeCredentialStore()
  ) -> TodoServices {
    TodoServices(
      store: store, sources: sources, register: register, accounts: accounts,
      credentials: credentials, sync: sync)
  }
}

extension TodoSource {
  /// Returns a fake source that gives these responses, and has received no request yet.
  static func faked(_ answers: [Result<RemoteAnswer.Body, TodoError>] = []) -> TodoSource {
    TodoSource(name: "github:octo/tasks", remote: FakeRemote(answers))
  }
}
