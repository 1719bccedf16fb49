import JSONRPC
import System

extension Benchmark {
  /// Measures how soon a server shows a change that another server has stored in their common file:
  /// the time from the response to the change until the rendering that shows the change. This
  /// measurement has no floor.
  mutating func measureChangeElsewhere() throws(BenchmarkError) {
    let pairs = try columns.map { (column) throws(BenchmarkError) -> SharedFile? in
      guard column.kind == .todoServer else { return nil }
      return try SharedFile(column, dataFolder: folder.path)
    }
    // Long enough for any throttle to have ended.
    let quiet: UInt32 = 700_000
    for (name, pause, count) in [("a lone change", quiet, 40), ("one after another", 0, 100)] {
      var milliseconds = pairs.map { _ in [Double]() }
      for _ in 0..<count {
        for (index, pair) in pairs.enumerated() {
          guard let pair else { continue }
          usleep(pause)
          milliseconds[index].append(try pair.timeChange() / .milliseconds(1))
        }
      }
      for (figure, fraction) in [("p50", 0.5), ("p99", 0.99)] {
        table.add(
          "another server's change seen, \(name), ms, \(figure)",
          milliseconds.map { $0.quantile(fraction) }, digits: 1)
      }
    }
  }
}

/// Two servers that share a file and show the same list.
private final class SharedFile {
  private let writer: Session
  private let reader: Session
  private let id: JSON
  private var changeCount = 0

  init(_ column: Column, dataFolder: String) throws(BenchmarkError) {
    func open() throws(BenchmarkError) -> Session {
      let session = try Session(
        column, store: "sqlite:\(dataFolder)/shared-\(column.name).sqlite", dataFolder: dataFolder)
      try session.finishInitialization()
      try session.logIn()
      return session
    }
    writer = try open()
    let added = try writer.result("addTodo", ["title": "Change 0"])
    id = added["todo"]?["id"] ?? .null
    reader = try open()
  }

  /// Makes a change in one server, and returns the time until the other server shows it.
  func timeChange() throws(BenchmarkError) -> Duration {
    changeCount += 1
    let title = "Change \(changeCount) of many"
    _ = try writer.result("editTodo", ["id": id, "title": .string(title)])
    let clock = ContinuousClock()
    let start = clock.now
    try reader.server.exchange([]) { body in
      String(decoding: body, as: UTF8.self).contains(title)
    }
    return start.duration(to: clock.now)
  }
}
