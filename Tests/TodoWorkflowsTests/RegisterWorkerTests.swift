import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("The worker that registers")
struct RegisterWorkerTests {
  private let credentials = FakeCredentialStore()

  private func worker(
    _ number: Int = 1, _ username: String = "username", _ password: String = "password",
    answer: Result<Secret, TodoError> = .success(Secret("t0ken")),
    credentials: FakeCredentialStore? = nil
  ) -> RegisterWorkflow.RegisterWorker {
    RegisterWorkflow.RegisterWorker(
      attempt: RegisterWorkflow.Attempt(
        number: number, username: username, password: Secret(password)),
      service: FakeRegisterService(answer: answer),
      credentials: credentials ?? self.credentials)
  }

  private func failure(_ worker: RegisterWorkflow.RegisterWorker) async -> TodoError? {
    guard case .ended(_, let failure) = await worker.run() else { return nil }
    return failure
  }

  @Test("saves the token in the credential store")
  func success() async throws {
    #expect(await failure(worker()) == nil)
    #expect(try credentials.token(for: "username") == Secret("t0ken"))
  }

  @Test(
    "does not ask the service with a short name or password",
    arguments: [
      ("usernam", "password", ["username"]), ("username", "passwor", ["password"]),
      ("", "", ["username", "password"]),
    ])
  func rules(username: String, password: String, fields: [String]) async throws {
    let refused = worker(1, username, password, answer: .failure(TodoError(.server, "Asked.")))
    let error = try #require(await failure(refused))
    #expect(error.kind == .validation)
    #expect(error.message == "Invalid username or password")
    #expect(error.fields.map(\.field) == fields)
    #expect(try credentials.token(for: username) == nil)
  }

  @Test("returns the reason of the service")
  func refused() async throws {
    let error = TodoError(.registrationFailed, "Dunno.")
    #expect(await failure(worker(answer: .failure(error))) == error)
    #expect(try credentials.token(for: "username") == nil)
  }

  @Test("sends no request if the token cannot be stored")
  func unusableCredentials() async {
    let damaged = TodoError.storage("The credentials cannot be read.")
    let asked = worker(
      answer: .failure(TodoError(.server, "Asked.")),
      credentials: FakeCredentialStore(unreadable: damaged))
    #expect(await failure(asked) == damaged)
  }

  @Test("reports that the token could not be stored")
  func credentialFailure() async {
    let error = TodoError.storage("The disk is full.")
    #expect(await failure(worker(credentials: FakeCredentialStore(failure: error))) == error)
  }

  @Test("is equivalent for the same attempt only")
  func equivalence() {
    worker(1).tester()
      .assertEquivalent(to: worker(1, "username2"))
      .assertNotEquivalent(to: worker(2))
  }
}
