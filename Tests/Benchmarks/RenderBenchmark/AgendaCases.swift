import JSONRPC

/// The cases that measure the agenda (the open todos of several lists, sorted by due date). The
/// agenda has four lists, each with 25,000 todos that have dates. For comparison, the cases also
/// measure opening a list of 1,000 todos.
struct AgendaCases {
  private static let repetitions = 300
  private static let sources = ["github:octo/a", "github:octo/b", "github:octo/c"]

  func run() async throws -> [String] {
    let small = try await MeasuredLoop(todoCount: 1_000)
    let loop = try await MeasuredLoop(todoCount: 25_000, sources: Self.sources, isDated: true)
    let page = try await loop.ask("listTodos", ["limit": 1, "sort": "due", "fields": ["id"]])
    let id = page["todos"]?.arrayValue?.first?["id"] ?? .null
    var number = 0
    func edit() async throws {
      number += 1
      _ = try await loop.ask("editTodo", ["id": id, "title": .string("Edit \(number)")])
    }
    // In turns, so that what else the machine does changes both.
    var times = Times()
    for _ in 0..<Self.repetitions {
      _ = try await small.ask("logout")
      try await times.add("open a list of 1,000 (login and load)") {
        _ = try await small.ask("login", ["name": "ann"])
        _ = try await small.ask("loadTodos")
      }
      try await times.add("editTodo, list in front") { try await edit() }
      try await times.add("open the agenda of 4 x 25,000") {
        try await act("todoList", "agenda", loop)
      }
      try await times.add("editTodo, agenda in front") { try await edit() }
      try await act("agenda", "close", loop)
    }
    return times.rows
  }

  private func act(_ screen: String, _ action: String, _ loop: MeasuredLoop) async throws {
    _ = try await loop.ask(
      "screen/act", ["screen": .string(screen), "action": .string(action)])
  }
}

/// The times of several actions, in microseconds.
private struct Times {
  private var names: [String] = []
  private var times: [String: [Double]] = [:]

  mutating func add(_ name: String, _ body: () async throws -> Void) async throws {
    let clock = ContinuousClock()
    let start = clock.now
    try await body()
    if times[name] == nil { names.append(name) }
    times[name, default: []].append(start.duration(to: clock.now) / .microseconds(1))
  }

  var rows: [String] {
    names.map { name in
      let sorted = (times[name] ?? []).sorted()
      return "\(name): p50 \(Int(sorted[sorted.count / 2])) µs, "
        + "p95 \(Int(sorted[sorted.count * 95 / 100])) µs"
    }
  }
}
