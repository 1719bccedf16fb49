import JSONRPC
import TestSupport
import TodoModel
import TodoRemotes
import TodoReplay

/// Two servers on one file in virtual time, and a source that responds on request.
final class SlowSource {
  private let folder = TemporaryFolder()
  private let machine: SimulatedMachine
  private var servers: [LoopServer] = []
  /// The JSON members in the body of the request that created the issue.
  private var created = JSONObject()
  private var sleeps = EventQueue<Int>()
  private var requests: [Waits.New] = []
  /// All requests, each with its process and method.
  private(set) var log: [String] = []

  init() throws {
    machine = SimulatedMachine(path: folder.path("todos.sqlite"))
    for number in 1...2 {
      servers.append(try LoopServer(number, on: machine))
      try settle()
      try answer(with: "[]")
    }
  }

  deinit { for server in servers { server.kill() } }

  /// The timeout of a request.
  static let requestSeconds = RequestTimeouts.standard.totalMilliseconds / 1_000

  /// Adds a todo on the first server, and sends it.
  func addAndSync(_ title: String) throws {
    _ = try servers[0].add(NewTodo(title: title))
    try settle()
    try sync(0)
  }

  func sync(_ index: Int) throws {
    servers[index].sync()
    try settle()
  }

  /// Returns the todos of a server, each with its sync state.
  func states(_ index: Int) throws -> [String] {
    try servers[index].todos().map { "\($0.content.title) \($0.sync)" }
  }

  var inFlight: [String] { requests.map(Self.line) }

  private static func line(_ wait: Waits.New) -> String {
    guard case .request(let request) = wait.kind else { return "" }
    return "p\(wait.process) \(request.method)"
  }

  /// The JSON of the created issue at the source.
  private var issue: String {
    var issue = created
    issue["number"] = 1
    issue["html_url"] = "https://github.com/octo/tasks/issues/1"
    issue["state"] = "open"
    issue["created_at"] = "2026-02-02T00:00:00Z"
    issue["updated_at"] = "2026-02-02T00:00:00Z"
    return JSON.object(issue).compactText
  }

  /// Runs both servers until they wait for a time or for the source.
  private func settle() throws {
    while true {
      machine.executor.runAll()
      for server in servers { server.runUntilIdle() }
      let new = machine.waits.drainNew()
      if new.isEmpty { return }
      for wait in new {
        switch wait.kind {
        case .sleep(let milliseconds):
          let now = machine.clock.now.milliseconds
          sleeps.plan(wait.id, at: Timestamp(milliseconds: now + milliseconds))
        case .request(let request):
          if request.method == "POST", let body = request.body {
            created = (try? JSON(parsing: body))?.objectValue ?? JSONObject()
          }
          requests.append(wait)
          log.append(Self.line(wait))
        }
      }
    }
  }

  func advance(seconds: Int64) throws {
    let end = Timestamp(milliseconds: machine.clock.now.milliseconds + seconds * 1_000)
    while let instant = sleeps.nextInstant, instant <= end, let next = sleeps.next() {
      machine.clock.now = max(instant, machine.clock.now)
      machine.waits.end(next.event)
      try settle()
    }
    machine.clock.now = end
    try settle()
  }

  func answerCreation() throws { try answer(with: issue) }
  func answerList() throws { try answer(with: "[\(issue)]") }

  /// Answers the oldest request.
  private func answer(with json: String) throws {
    guard !requests.isEmpty else { return }
    let request = requests.removeFirst()
    machine.waits.end(
      request.id,
      with: .success(
        HTTPResponse(
          status: 200, headers: [HTTPHeader("Content-Type", "application/json")],
          body: Array(json.utf8))))
    try settle()
  }
}
