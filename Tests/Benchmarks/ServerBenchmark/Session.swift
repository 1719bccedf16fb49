import JSONRPC

/// A session with one program, which sends requests and measures their durations.
struct Session {
  let column: Column
  let server: MeasuredServer
  /// The time from the start of the program to its response to `initialize`.
  let startDuration: Duration

  /// The renderings that the server is asked to send.
  enum Renderings: String { case patch, frontOnly }

  /// Starts the program and initializes it. `store` and `renderings` are options for todo-server;
  /// other programs ignore them.
  init(
    _ column: Column, store: String, renderings: Renderings = .patch, dataFolder: String
  ) throws(BenchmarkError) {
    self.column = column
    let initialize = Self.frame([
      "jsonrpc": "2.0", "id": 0, "method": "initialize",
      "params": [
        "processId": nil, "rootUri": nil,
        "capabilities": ["render": .object([renderings.rawValue: true, "window": 50])],
        "initializationOptions": ["store": .string(store)],
      ],
    ])
    let clock = ContinuousClock()
    let start = clock.now
    server = try MeasuredServer(column.command, dataFolder: dataFolder)
    try server.exchange(initialize) { !$0.isNotification }
    startDuration = start.duration(to: clock.now)
  }

  /// Sends `initialized`, and waits for the response to another request. Afterwards, todo-server
  /// sends renderings of its screens.
  func finishInitialization() throws(BenchmarkError) {
    let initialized = Self.frame(["jsonrpc": "2.0", "method": "initialized", "params": [:]])
    try server.exchange(initialized + Self.request("bench/unknown")) { !$0.isNotification }
  }

  /// Logs in, and waits until the list is loaded.
  func logIn() throws(BenchmarkError) {
    _ = try result("login", ["name": "Ann"])
    _ = try result("loadTodos")
  }

  /// Returns a todo; `nil` if the store does not have it.
  func todo(_ id: String) throws(BenchmarkError) -> JSON? {
    try result("getTodo", ["id": .string(id)])["todo"]
  }

  /// Returns the result of a request; `null` if the request failed.
  func result(_ method: String, _ params: JSON = [:]) throws(BenchmarkError) -> JSON {
    var result: JSON?
    try server.exchange(Self.request(method, params)) { body in
      guard !body.isNotification else { return false }
      result = (try? JSON(parsing: Array(body)))?["result"]
      return true
    }
    return result ?? .null
  }

  // MARK: Measuring

  /// Sends the given requests in turn, `count` times in all, and returns the time until each
  /// response in microseconds.
  func roundTrips(_ requests: [[UInt8]], count: Int) throws(BenchmarkError) -> [Double] {
    let clock = ContinuousClock()
    var microseconds: [Double] = []
    microseconds.reserveCapacity(count)
    for number in 0..<count {
      let request = requests[number % requests.count]
      let start = clock.now
      try server.exchange(request) { !$0.isNotification }
      microseconds.append(start.duration(to: clock.now) / .microseconds(1))
    }
    return microseconds
  }

  /// Returns the number of requests per second if no request waits for the response to another.
  func pipelinedPerSecond(_ burst: Burst) throws(BenchmarkError) -> Double {
    var nextID = 1
    let duration = try time { () throws(BenchmarkError) in
      try server.exchange(burst.bytes) { body in
        guard !body.isNotification, body.responseID == nextID else { return false }
        nextID += 1
        return nextID > burst.requestCount
      }
    }
    return Double(burst.requestCount) / (duration / .seconds(1))
  }

  /// Returns the speed, in megabytes per second, with which a large request is read, checked and
  /// refused.
  func megabytesPerSecond(_ request: [UInt8]) throws(BenchmarkError) -> Double {
    let duration = try time { () throws(BenchmarkError) in
      try server.exchange(request) { !$0.isNotification }
    }
    return Double(request.count) / 1e6 / (duration / .seconds(1))
  }

  private func time(_ body: () throws(BenchmarkError) -> Void) throws(BenchmarkError) -> Duration {
    let clock = ContinuousClock()
    let start = clock.now
    try body()
    return start.duration(to: clock.now)
  }

  // MARK: Requests

  static func request(_ method: String, _ params: JSON = [:], id: Int = 1) -> [UInt8] {
    frame([
      "jsonrpc": "2.0", "id": .integer(Int64(id)), "method": .string(method), "params": params,
    ])
  }

  private static func frame(_ message: JSON) -> [UInt8] {
    var bytes: [UInt8] = []
    FrameWriter(framing: .headers).append(to: &bytes) { $0.value(message) }
    return bytes
  }
}

/// Requests for an unknown method, with the ids from 1 to `requestCount`.
struct Burst {
  let requestCount: Int
  let bytes: [UInt8]

  init(requestCount: Int) {
    self.requestCount = requestCount
    bytes = (1...requestCount).flatMap { Session.request("bench/unknown", id: $0) }
  }
}
