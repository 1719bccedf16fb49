import JSONRPC
import TodoModel

/// The measured cases. Each one yields one or two rows of the output.
struct Cases {
  private let loop: MeasuredLoop
  private static let repetitions = 1_000

  init(_ loop: MeasuredLoop) { self.loop = loop }

  func run() async throws -> [String] {
    [
      try await edit(), try await toggle(), try await addAndRemove(), try await undo(),
      try await filter(), try await scroll(), try await editFarDown(), try await openRemoved(),
    ]
  }

  private func edit() async throws -> String {
    let id = try await topID()
    var byteCounts: [Int] = []
    let times = try await measure(Self.repetitions) { number in
      _ = try await loop.ask("editTodo", ["id": .string(id), "title": .string("Edit \(number)")])
      byteCounts.append(loop.renderedByteCount)
    }
    return row("editTodo of a row in the window", times) + ", \(byteCounts.max() ?? 0) bytes"
  }

  private func toggle() async throws -> String {
    let id = try await topID()
    let times = try await measure(Self.repetitions) { _ in
      _ = try await loop.ask(
        "screen/act", ["screen": "todoList", "action": "toggle", "item": .string(id)])
    }
    return row("toggle", times)
  }

  private func addAndRemove() async throws -> String {
    var ids: [JSON] = []
    let adding = try await measure(Self.repetitions) { number in
      let result = try await loop.ask("addTodo", ["title": .string("Added \(number)")])
      ids.append(result["todo"]?["id"] ?? .null)
    }
    let removing = try await measure(ids.count) { number in
      _ = try await loop.ask("removeTodo", ["id": ids[ids.count - 1 - number]])
    }
    return row("add at the top", adding) + "\n  " + row("remove", removing)
  }

  private func undo() async throws -> String {
    row("undo", try await measure(500) { _ in _ = try await loop.ask("undo") })
      + "\n  " + row("redo", try await measure(500) { _ in _ = try await loop.ask("redo") })
  }

  private func filter() async throws -> String {
    var texts: [String] = []
    for word in ["milk", "bread", "number 7", "zebra"] {
      for count in 1...word.count { texts.append(String(word.prefix(count))) }
    }
    let times = try await measure(texts.count * 5) { number in
      _ = try await loop.ask(
        "screen/act",
        [
          "screen": "todoList", "action": "filter",
          "values": ["query": .string(texts[number % texts.count])],
        ])
    }
    _ = try await loop.ask(
      "screen/act", ["screen": "todoList", "action": "filter", "values": ["query": ""]])
    return row("filter typed letter by letter", times)
  }

  private func scroll() async throws -> String {
    let limit = MeasuredLoop.windowLimit
    let windowCount = max(1, loop.todoCount / limit)
    let clock = ContinuousClock()
    let start = clock.now
    for number in 0..<windowCount { try await show(number * limit) }
    let perSecond = Double(windowCount) / (start.duration(to: clock.now) / .seconds(1))
    try await show(0)
    return "scroll through all: \(Int(perSecond)) windows a second"
  }

  /// Measures edits of the first todo while the window shows rows in the middle of the list.
  private func editFarDown() async throws -> String {
    try await show(loop.todoCount / 2)
    let page = try await loop.ask("listTodos", ["limit": 1, "fields": ["id"]])
    let id = page["todos"]?.arrayValue?.first?["id"] ?? .null
    let times = try await measure(Self.repetitions) { number in
      _ = try await loop.ask("editTodo", ["id": id, "title": .string("Far \(number)")])
    }
    return row("editTodo of a row out of sight", times)
  }

  /// Measures two requests: opening the screen of the removed todos, and `listRemoved`. Before the
  /// measurement, as many todos are removed as the screen can show.
  private func openRemoved() async throws -> String {
    let page = try await loop.ask(
      "listTodos", ["limit": .integer(Int64(RemovedTodo.countMax)), "fields": ["id"]])
    for todo in page["todos"]?.arrayValue ?? [] {
      _ = try await loop.ask("removeTodo", ["id": todo["id"] ?? .null])
    }
    var opening: [Double] = []
    _ = try await measure(200) { _ in
      opening += try await measure(1) { _ in
        _ = try await loop.ask("screen/act", ["screen": "todoList", "action": "removed"])
      }
      _ = try await loop.ask("screen/act", ["screen": "removed", "action": "back"])
    }
    let listing = try await measure(200) { _ in _ = try await loop.ask("listRemoved") }
    return row("open Removed", opening.sorted()) + "\n  " + row("listRemoved", listing)
  }

  private func show(_ offset: Int) async throws {
    _ = try await loop.ask(
      "screen/window",
      [
        "screen": "todoList", "offset": .integer(Int64(offset)),
        "limit": .integer(Int64(MeasuredLoop.windowLimit)),
      ])
  }

  private func topID() async throws -> String {
    let page = try await loop.ask("listTodos", ["limit": 1, "fields": ["id"]])
    return page["todos"]?.arrayValue?.first?["id"]?.stringValue ?? ""
  }

  // MARK: Figures

  /// Calls a closure `count` times, and returns the durations of the calls in microseconds, sorted.
  private func measure(_ count: Int, _ body: (Int) async throws -> Void) async throws -> [Double] {
    let clock = ContinuousClock()
    var microseconds: [Double] = []
    for number in 0..<count {
      let start = clock.now
      try await body(number)
      microseconds.append(start.duration(to: clock.now) / .microseconds(1))
    }
    return microseconds.sorted()
  }

  private func row(_ name: String, _ times: [Double]) -> String {
    func quantile(_ part: Double) -> Int {
      times.isEmpty ? 0 : Int(times[min(times.count - 1, Int(part * Double(times.count)))])
    }
    return "\(name): p50 \(quantile(0.5)), p95 \(quantile(0.95)), p99 \(quantile(0.99)) µs"
  }
}
