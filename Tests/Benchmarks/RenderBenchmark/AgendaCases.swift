import JSONRPC

/// The agenda of four lists of 25,000 todos with dates, beside a list of 1,000.
struct AgendaCases {
  private static let repetitions = 300
  private static let sources = ["github:octo/a", "github:octo/b", "github:octo/c"]

  func run() async throws -> [String] {
    let small = try await MeasuredLoop(todoCount: 1_000)
    let opening = try await measure(Self.repetitions) {
      _ = try await small.ask("logout")
      return try await time {
        _ = try await small.ask("login", ["name": "ann"])
        _ = try await small.ask("loadTodos")
      }
    }
    let loop = try await MeasuredLoop(todoCount: 25_000, sources: Self.sources, isDated: true)
    let page = try await loop.ask("listTodos", ["limit": 1, "sort": "due", "fields": ["id"]])
    let id = page["todos"]?.arrayValue?.first?["id"] ?? .null
    var number = 0
    func edit() async throws {
      number += 1
      _ = try await loop.ask("editTodo", ["id": id, "title": .string("Edit \(number)")])
    }
    let editing = try await measure(Self.repetitions) { try await time { try await edit() } }
    let agenda = try await measure(Self.repetitions) {
      defer { number += 1 }
      let figure = try await time { try await act("todoList", "agenda", loop) }
      try await act("agenda", "close", loop)
      return figure
    }
    try await act("todoList", "agenda", loop)
    let updating = try await measure(Self.repetitions) { try await time { try await edit() } }
    return [
      "open a list of 1,000 (login and load): \(opening)",
      "open the agenda of 4 x 25,000: \(agenda)", "editTodo, list in front: \(editing)",
      "editTodo, agenda in front: \(updating)",
    ]
  }

  private func act(_ screen: String, _ action: String, _ loop: MeasuredLoop) async throws {
    _ = try await loop.ask(
      "screen/act", ["screen": .string(screen), "action": .string(action)])
  }

  /// In microseconds.
  private func time(_ body: () async throws -> Void) async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await body()
    return start.duration(to: clock.now) / .microseconds(1)
  }

  private func measure(_ count: Int, _ body: () async throws -> Double) async throws -> String {
    var times: [Double] = []
    for _ in 0..<count { times.append(try await body()) }
    times.sort()
    return "p50 \(Int(times[count / 2])) µs, p95 \(Int(times[count * 95 / 100])) µs"
  }
}
