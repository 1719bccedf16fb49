import System
import TestSupport

/// Measures all columns of the table in turn: the machine is faster in one minute than in the
/// next, so only what was measured side by side can be compared.
struct Benchmark {
  private let columns: [Column]
  private let folder: TemporaryFolder
  private var table: Table

  init(_ columns: [Column], folder: TemporaryFolder) {
    self.folder = folder
    // A program that dies is noticed where it is written to.
    signal(SIGPIPE, SIG_IGN)
    self.columns = columns
    table = Table(columns: columns.map(\.name))
  }

  mutating func run() throws(BenchmarkError) -> Table {
    try measureStart()
    try Processors.withOne { () throws(BenchmarkError) in
      try measureUnknownMethod("on one processor", try openSessions())
      try measureGetTodo()
    }
    let sessions = try openSessions()
    addResidentMemory("idle", sessions)
    try measureUnknownMethod("on all processors", sessions)
    try measureThroughput(sessions)
    table.add("program, MB", columns.map { fileMegabytes($0.command[0]) }, digits: 2)
    return table
  }

  /// Samples of every column, `roundCount` times in turn. Nil where a measurement means nothing.
  private func inTurn<Subject>(
    _ roundCount: Int, _ subjects: [Subject],
    _ measure: (Subject) throws(BenchmarkError) -> [Double]?
  ) throws(BenchmarkError) -> [Samples?] {
    var samples: [Samples?] = subjects.map { _ in Samples() }
    for _ in 0..<roundCount {
      for (index, subject) in subjects.enumerated() {
        if let values = try measure(subject) {
          samples[index]?.add(values)
        } else {
          samples[index] = nil
        }
      }
    }
    return samples
  }

  private func openSessions() throws(BenchmarkError) -> [Session] {
    try columns.map { (column) throws(BenchmarkError) in
      let session = try Session(column, store: "memory", dataFolder: folder.path)
      try session.finishInitialization()
      return session
    }
  }

  // MARK: Start

  private mutating func measureStart() throws(BenchmarkError) {
    let file = folder.path("todos.sqlite")
    for (name, store) in [("memory", "memory"), ("SQLite file", "sqlite:\(file)")] {
      let measure = { [folder] (column: Column) throws(BenchmarkError) -> [Double]? in
        let session = try Session(column, store: store, dataFolder: folder.path)
        return [session.startDuration / .milliseconds(1)]
      }
      // The first start reads from the disk, and makes the database.
      _ = try inTurn(1, columns, measure)
      let samples = try inTurn(40, columns, measure)
      table.add("start to initialize (\(name)), ms, p50", samples, quantile: 0.5, digits: 2)
    }
  }

  // MARK: Round trips

  private mutating func measureUnknownMethod(
    _ place: String, _ sessions: [Session]
  ) throws(BenchmarkError) {
    let request = Session.request("bench/unknown")
    try measureRoundTrips("unknown method \(place)", sessions.map { ($0, request) })
  }

  private mutating func measureGetTodo() throws(BenchmarkError) {
    let calls = try openSessions().map { (session) throws(BenchmarkError) in
      (session, try session.getTodoRequest(todoCount: 1_000))
    }
    try measureRoundTrips("getTodo of 1,000 on one processor", calls)
  }

  private mutating func measureRoundTrips(
    _ name: String, _ calls: [(session: Session, request: [UInt8]?)]
  ) throws(BenchmarkError) {
    // The first calls warm the caches.
    for roundCount in [1, 20] {
      let samples = try inTurn(roundCount, calls) { (call) throws(BenchmarkError) in
        guard let request = call.request else { return nil }
        return try call.session.roundTrips(request, count: 1_000)
      }
      guard roundCount > 1 else { continue }
      table.add("\(name), µs, p50", samples, quantile: 0.5, digits: 1)
      table.add("\(name), µs, p99", samples, quantile: 0.99, digits: 1)
    }
  }

  // MARK: Throughput

  private mutating func measureThroughput(_ sessions: [Session]) throws(BenchmarkError) {
    let burst = Burst(requestCount: 100_000)
    let pipelined = try inTurn(7, sessions) { (session) throws(BenchmarkError) in
      [try session.pipelinedPerSecond(burst)]
    }
    table.add("100,000 pipelined, 1,000/s", pipelined, quantile: 0.5, digits: 0, scale: 1_000)
    addResidentMemory("after the bursts", sessions)

    let text = String(repeating: String(repeating: "plain text ", count: 8) + "\n", count: 47_128)
    let large = Session.request("bench/unknown", ["text": .string(text)])
    let megabytes = try inTurn(15, sessions) { (session) throws(BenchmarkError) in
      [try session.megabytesPerSecond(large)]
    }
    table.add("one request of 4 MiB, MB/s", megabytes, quantile: 0.5, digits: 0)

    let flooded = try inTurn(7, sessions) { (session) throws(BenchmarkError) in
      guard session.column.kind != .other else { return nil }
      return [try session.floodMebibytesPerSecond(count: 100_000, byteCount: 1_000)]
    }
    table.add("100,000 pushed of 1 kB, MiB/s", flooded, quantile: 0.5, digits: 0)
    addResidentMemory("after all", sessions)
  }

  // MARK: Sizes

  private mutating func addResidentMemory(_ when: String, _ sessions: [Session]) {
    let megabytes = sessions.map { $0.server.residentKilobytes.map { $0 / 1_024 } }
    table.add("resident \(when), MiB", megabytes, digits: 1)
  }

  /// Nil for a program that is not named by its path.
  private func fileMegabytes(_ path: String) -> Double? {
    var status = stat()
    guard path.contains("/"), stat(path, &status) == 0 else { return nil }
    return Double(status.st_size) / 1e6
  }
}
