import System
import TestSupport

/// A benchmark that measures several programs in turn, and shows each one as a column of a table.
/// The machine is faster in one minute than in the next, so only figures that were measured side by
/// side can be compared.
struct Benchmark {
  /// The number of runs for each figure.
  static let runCount = 7

  let columns: [Column]
  let folder: TemporaryFolder
  var table: Table

  init(_ columns: [Column], folder: TemporaryFolder) {
    self.folder = folder
    // A program that dies is noticed where it is written to.
    signal(SIGPIPE, SIG_IGN)
    self.columns = columns
    table = Table(columns: columns.map(\.name))
  }

  mutating func run() throws(BenchmarkError) -> Table {
    try Processors.withOne { () throws(BenchmarkError) in
      try measureStart()
      try measureUnknownMethod("")
      try measureGetTodo()
      try measureKeypress("keypress", .patch)
      try measureKeypress("keypress, frontOnly", .frontOnly)
    }
    try measureUnknownMethod(" on all processors")
    try measureThroughput()
    try measureChangeElsewhere()
    try measureImport()
    table.add("program, MB", columns.map { fileMegabytes($0.command[0]) }, digits: 2)
    return table
  }

  /// Measures all subjects, one after the other, `runCount` times. The result of a `nil` subject
  /// is `nil`, such as that of the empty program, which has no sessions.
  func inTurn<Subject>(
    _ subjects: [Subject?], runCount: Int = Self.runCount,
    _ measure: (Subject) throws(BenchmarkError) -> Double?
  ) throws(BenchmarkError) -> Runs {
    var runs = Runs()
    for _ in 0..<runCount {
      runs.add(
        try subjects.map { (subject) throws(BenchmarkError) in
          guard let subject else { return nil }
          return try measure(subject)
        })
    }
    return runs
  }

  /// Opens a session for each column; `nil` for the empty program, which has no sessions.
  private func openSessions(
    store: String = "memory", renderings: Session.Renderings = .patch
  ) throws(BenchmarkError) -> [Session?] {
    try columns.map { (column) throws(BenchmarkError) in
      guard column.kind != .empty else { return nil }
      let session = try Session(
        column, store: store, renderings: renderings, dataFolder: folder.path)
      try session.finishInitialization()
      return session
    }
  }

  // MARK: Start

  private mutating func measureStart() throws(BenchmarkError) {
    let file = folder.path("start.sqlite")
    for (name, store) in [("memory", "memory"), ("SQLite file", "sqlite:\(file)")] {
      let measure = { [folder] (column: Column) throws(BenchmarkError) -> Double? in
        var milliseconds: [Double] = []
        for _ in 0..<6 {
          let session = try Session(column, store: store, dataFolder: folder.path)
          milliseconds.append(session.startDuration / .milliseconds(1))
        }
        return milliseconds.quantile(0.5)
      }
      // The first start reads from the disk, and makes the database.
      _ = try inTurn(columns, runCount: 1, measure)
      let runs = try inTurn(columns, measure)
      table.add("start to initialize (\(name)), ms, p50", runs, digits: 2)
      table.add("  beside the empty program", runs, besideColumn: 1)
    }
  }

  // MARK: Round trips

  private mutating func measureUnknownMethod(_ place: String) throws(BenchmarkError) {
    let sessions = try openSessions()
    if place.isEmpty { addResidentMemory("idle", sessions) }
    let request = Session.request("bench/unknown")
    try measureRoundTrips("unknown method\(place)", sessions.map { $0.map { ($0, [request]) } })
  }

  private mutating func measureGetTodo() throws(BenchmarkError) {
    let todoCount = 1_000
    let lines = folder.path("1000.ndjson")
    try RandomTodos(count: todoCount).write(lines: lines, table: nil)
    let calls = try columns.map { (column) throws(BenchmarkError) -> Call? in
      guard column.kind == .floor || column.kind == .todoServer else { return nil }
      let file = folder.path("\(column.name).sqlite")
      if column.kind == .todoServer { try column.importTodos(from: lines, into: file) }
      let session = try Session(column, store: "sqlite:\(file)", dataFolder: folder.path)
      try session.finishInitialization()
      if column.kind == .todoServer { try session.logIn() }
      let id = RandomTodos.id(todoCount / 2)
      if column.kind == .todoServer, try session.todo(id) == nil {
        throw BenchmarkError("\(column.name) does not find a todo of its file")
      }
      return (session, [Session.request("getTodo", ["id": .string(id)])])
    }
    try measureRoundTrips("getTodo of 1,000, SQLite file", calls)
  }

  /// Measures the time from an edit in the first screen to the response. A server sends a
  /// rendering before the response; the floor (`EchoFloor`) sends only the response.
  private mutating func measureKeypress(
    _ name: String, _ renderings: Session.Renderings
  ) throws(BenchmarkError) {
    let sessions = try openSessions(renderings: renderings)
    let requests = ["ann", "anna"].map {
      Session.request("screen/change", ["screen": "welcome", "values": ["name": .string($0)]])
    }
    try measureRoundTrips(
      name,
      sessions.map { session in
        session.flatMap { $0.column.kind == .other ? nil : ($0, requests) }
      })
  }

  private typealias Call = (session: Session, requests: [[UInt8]])

  /// Measures round trips. Each run alternates between the programs of the columns after a few
  /// hundred trips, so that a moment in which the machine is slow affects all columns.
  private mutating func measureRoundTrips(
    _ name: String, _ calls: [Call?]
  ) throws(BenchmarkError) {
    let (turnCount, tripCount) = (10, 300)
    var (halves, tails) = (Runs(), Runs())
    // The first run warms the caches.
    for run in 0...Self.runCount {
      var microseconds = calls.map { _ in [Double]() }
      for _ in 0..<turnCount {
        for (index, call) in calls.enumerated() {
          guard let call else { continue }
          microseconds[index] += try call.session.roundTrips(call.requests, count: tripCount)
        }
      }
      guard run > 0 else { continue }
      halves.add(microseconds.map { $0.quantile(0.5) })
      tails.add(microseconds.map { $0.quantile(0.99) })
    }
    table.add("\(name), µs, p50", halves, digits: 1)
    table.add("\(name), µs, p99", tails, digits: 1)
  }

  // MARK: Throughput

  private mutating func measureThroughput() throws(BenchmarkError) {
    let sessions = try openSessions()
    let burst = Burst(requestCount: 100_000)
    let pipelined = try inTurn(sessions) { (session) throws(BenchmarkError) in
      try session.pipelinedPerSecond(burst) / 1_000
    }
    table.add("100,000 pipelined, 1,000/s", pipelined, digits: 0)
    addResidentMemory("after the bursts", sessions)

    let text = String(repeating: String(repeating: "plain text ", count: 8) + "\n", count: 47_128)
    let large = Session.request("bench/unknown", ["text": .string(text)])
    let megabytes = try inTurn(sessions) { (session) throws(BenchmarkError) in
      try session.megabytesPerSecond(large)
    }
    table.add("one request of 4 MiB, MB/s", megabytes, digits: 0)

    addResidentMemory("after all", sessions)
  }

  // MARK: Sizes

  private mutating func addResidentMemory(_ when: String, _ sessions: [Session?]) {
    let megabytes = sessions.map { $0?.server.residentKilobytes.map { $0 / 1_024 } }
    table.add("resident \(when), MiB", megabytes, digits: 1)
  }

  /// Returns the size of a program's file in megabytes; `nil` if the program is not given as the
  /// path of a file.
  private func fileMegabytes(_ path: String) -> Double? {
    var status = stat()
    guard path.contains("/"), stat(path, &status) == 0 else { return nil }
    return Double(status.st_size) / 1e6
  }
}
