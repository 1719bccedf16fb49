import Testing

@testable import TodoModel

@Suite("The other values of the model")
struct ValuesTests {
  @Test("A request is in one of four states")
  func requestStates() {
    let failure = TodoError(.offline, "No connection.")
    let states: [AsyncRequestState<Int>] = [.none, .request, .success(1), .error(failure)]
    #expect(states.map(\.isInFlight) == [false, true, false, false])
    #expect(states.map(\.failure) == [nil, nil, nil, failure])
    #expect(states[2] != .success(2))
  }

  @Test("A conflict carries its three sides")
  func conflict() {
    let content = TodoContent(title: "t", note: "", isDone: false)
    let sides = TodoConflict(base: nil, mine: content, theirs: content, theirVersion: 2)
    let error = TodoError.conflict(sides)
    #expect(error.kind == .conflict)
    #expect(error.conflict == sides)
    #expect(error.fields.isEmpty)
  }

  @Test("Error kinds are spelled as they are on the wire")
  func kinds() {
    #expect(
      ErrorKind.allCases.map(\.rawValue) == [
        "notLoggedIn", "alreadyLoggedIn", "invalidCredentials", "validation", "notFound",
        "conflict", "busy", "interrupted", "offline", "timeout", "unauthorized", "forbidden",
        "rateLimited",
        "issuesDisabled", "server", "invalidResponse", "registrationFailed", "insecureURL",
        "storage", "nothingToUndo",
      ])
  }

  @Test("A list without a source is local")
  func listKeys() {
    #expect(TodoListKey(profile: "ann", source: "").isLocal)
    #expect(!TodoListKey(profile: "ann", source: "github:octo/tasks").isLocal)
  }

  @Test("New ids are 15 characters that are not mistaken for each other, and differ")
  func newIDs() {
    let ids = (0..<1_000).map { _ in Environment.live.newID().text }
    #expect(Set(ids).count == ids.count)
    let letters = Set("0123456789abcdefghjkmnpqrstvwxyz")
    #expect(ids.allSatisfy { $0.count == 15 && $0.allSatisfy(letters.contains) })
  }
}
