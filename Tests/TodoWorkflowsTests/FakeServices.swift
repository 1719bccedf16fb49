import Synchronization
import TodoModel

/// A fake service whose pages are a list; the link to a page is its index.
final class FakeIssueService: IssueService {
  enum Step: Sendable {
    case page([TodoModel.Issue], next: String?, pageCount: Int?)
    case failure(TodoError)
  }

  let sourceName = "github:octo/tasks"
  private let steps: [Step]
  private let asked = Mutex<[String?]>([])

  init(_ steps: [Step]) { self.steps = steps }

  /// The links that were asked for, in order.
  var links: [String?] { asked.withLock { $0 } }

  func issues(at link: PageLink?) async throws(TodoError) -> IssuePage {
    let number = asked.withLock { asked in
      asked.append(link?.url)
      return asked.count
    }
    guard number <= steps.count else { throw TodoError(.notFound, "No more pages are made up.") }
    switch steps[number - 1] {
    case .page(let issues, let next, let pageCount):
      return IssuePage(
        issues: issues, next: next.map { PageLink(url: $0) }, pageCount: pageCount)
    case .failure(let error): throw error
    }
  }
}

extension TodoModel.Issue {
  static func made(_ number: Int64) -> TodoModel.Issue {
    TodoModel.Issue(
      number: number, url: "https://example.com/\(number)", title: "Issue \(number)", body: "",
      isClosed: false)
  }
}

/// A fake service that gives every account the same answer.
struct FakeRegisterService: RegisterService {
  var answer: Result<Secret, TodoError> = .success(Secret("token"))

  func register(username: String, password: Secret) async throws(TodoError) -> Secret {
    try answer.get()
  }
}

/// A fake service that gives every login the same answer.
struct FakeAccountService: AccountService {
  var failure: TodoError?

  func authenticate(name: String, password: Secret?) async throws(TodoError) {
    if let failure { throw failure }
  }
}

/// A fake store of tokens that remembers which were saved.
final class FakeCredentialStore: CredentialStore {
  private let tokens = Mutex<[String: Secret]>([:])
  private let failure: TodoError?

  init(failure: TodoError? = nil) { self.failure = failure }

  func save(_ token: Secret, for account: String) throws(TodoError) {
    if let failure { throw failure }
    tokens.withLock { $0[account] = token }
  }

  func token(for account: String) throws(TodoError) -> Secret? { tokens.withLock { $0[account] } }
}

extension TodoServices {
  static func faked(
    store: any LocalTodoStore = MemoryTodoStore(), issues: (any IssueService)? = nil,
    register: any RegisterService = FakeRegisterService(),
    accounts: any AccountService = FakeAccountService(),
    credentials: any CredentialStore = FakeCredentialStore()
  ) -> TodoServices {
    TodoServices(
      store: store, issues: issues, register: register, accounts: accounts,
      credentials: credentials)
  }
}
