import JSONRPC
import Synchronization
import System
import TestSupport

/// The real program, over real pipes.
final class ServerProcess {
  let processID: pid_t
  private let input: Int32
  private let output: Int32
  private let errors: Int32
  private let framing: Framing
  private var parser = FrameParser()
  private var nextID: Int64 = 0
  /// Every byte received from stdout.
  private(set) var stdout: [UInt8] = []
  /// The received renderings, the newest last.
  private(set) var renderings: [JSON] = []
  private var waitStatus: Int32?
  private var isInputOpen = true
  private var isOutputOpen = true
  private var isAtEnd = false

  /// The timeout after which a test fails instead of hanging.
  private static let timeoutMilliseconds: Int32 = 300_000

  /// The path of the program that was built with these tests.
  static var program: String {
    let path = FileTree.destination(ofLink: "/proc/self/exe")
    guard !path.isEmpty else { return ProjectFolder().path + "/.build/debug/todo-server" }
    return path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/todo-server"
  }

  struct StartError: Error {}

  /// Starts the server with its own environment; only PATH is inherited.
  init(
    _ arguments: [String] = [], environment: [String: String] = [:], framing: Framing = .headers,
    program: String = ServerProcess.program
  ) throws {
    self.framing = framing
    // One at a time: a child started between the creation and the marking of a pipe would inherit
    // it.
    (processID, input, output, errors) = try Self.starting.withLock { _ in
      try Self.spawn([program] + arguments, environment)
    }
  }

  private static let starting = Mutex(())

  private static func spawn(
    _ words: [String], _ environment: [String: String]
  ) throws -> (processID: pid_t, input: Int32, output: Int32, errors: Int32) {
    let (inEnds, outEnds, errorEnds) = (try pipeEnds(), try pipeEnds(), try pipeEnds())
    defer { for end in [inEnds[0], outEnds[1], errorEnds[1]] { close(end) } }
    let processID = spawn(words, environment, [inEnds[0], outEnds[1], errorEnds[1]])
    guard let processID else { throw StartError() }
    return (processID, inEnds[1], outEnds[0], errorEnds[0])
  }

  /// Starts a program with three standard descriptors; `nil` if that fails.
  static func spawn(
    _ words: [String], _ environment: [String: String], _ descriptors: [Int32]
  ) -> pid_t? {
    signal(SIGPIPE, SIG_IGN)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (standard, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(standard))
    }
    var variables = environment
    variables["PATH"] = variables["PATH"] ?? getenv("PATH").map { String(cString: $0) }
    let strings = words.map { strdup($0) } + [nil]
    let pairs = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for pointer in strings + pairs { free(pointer) } }
    var processID: pid_t = 0
    let result = posix_spawn(&processID, words[0], &actions, nil, strings, pairs)
    return result == 0 ? processID : nil
  }

  private static func pipeEnds() throws -> [Int32] {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw StartError() }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  deinit {
    if waitStatus == nil {
      kill(processID, SIGKILL)
      var status: Int32 = 0
      waitpid(processID, &status, 0)
    }
    if isInputOpen { close(input) }
    if isOutputOpen { close(output) }
    close(errors)
  }

  // MARK: Sending

  func send(_ json: JSON) {
    var bytes: [UInt8] = []
    FrameWriter(framing: framing).append(to: &bytes) { $0.value(json) }
    send(bytes)
  }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends until the server reads nothing for half a second, and returns the number of bytes sent.
  func sendWhatIsTaken(_ bytes: [UInt8]) -> Int {
    let flags = fcntl(input, F_GETFL)
    _ = fcntl(input, F_SETFL, flags | O_NONBLOCK)
    defer { _ = fcntl(input, F_SETFL, flags) }
    var rest = bytes[...]
    while !rest.isEmpty {
      var ready = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
      guard poll(&ready, 1, 500) == 1 else { break }
      let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    return bytes.count - rest.count
  }

  func closeInput() {
    close(input)
    isInputOpen = false
  }

  func closeOutput() {
    close(output)
    isOutputOpen = false
  }

  func signalEnd(_ number: Int32) { kill(processID, number) }

  // MARK: Receiving

  /// Returns the next message; `nil` at the end of the output or after the timeout.
  func next() -> JSON? {
    guard let body = nextBody() else { return nil }
    let json = try? JSON(parsing: body)
    if json?["method"]?.stringValue == "workflow/render", let params = json?["params"] {
      renderings.append(params)
    }
    return json
  }

  /// Returns the next message as bytes, for large numbers of messages.
  func nextBody() -> ArraySlice<UInt8>? {
    while true {
      switch parser.next() {
      case .frame(let body): return body
      case .problem, .fatal: return nil
      case nil:
        guard readOutput() else { return nil }
      }
    }
  }

  /// Reads more output.
  ///
  /// - Returns: `false` at the end of the output or after the timeout.
  private func readOutput() -> Bool {
    guard isOutputOpen, !isAtEnd, let bytes = read(from: output) else { return false }
    isAtEnd = bytes.isEmpty
    stdout += bytes
    parser.append(bytes)
    return !isAtEnd
  }

  /// Sends a request, and returns its response.
  func request(_ method: String, _ params: JSON = .object([:])) -> JSON? {
    nextID += 1
    send([
      "jsonrpc": "2.0", "id": .integer(nextID), "method": .string(method), "params": params,
    ])
    return answer(to: .integer(nextID))
  }

  /// Returns the response with an ID. Earlier messages are dropped, except renderings.
  func answer(to id: JSON) -> JSON? {
    while let message = next() {
      if message["id"] == id { return message }
    }
    return nil
  }

  /// Sends `initialize` and `initialized`.
  func initialize(_ options: JSON = .object([:])) -> JSON? {
    let answer = request(
      "initialize", .object(["processId": .null, "initializationOptions": options]))
    send(["jsonrpc": "2.0", "method": "initialized"])
    return answer
  }

  /// Returns the rest of stderr.
  func readErrors() -> [UInt8] {
    var all: [UInt8] = []
    while let bytes = read(from: errors), !bytes.isEmpty { all += bytes }
    return all
  }

  private func read(
    from descriptor: Int32, within milliseconds: Int32 = timeoutMilliseconds
  ) -> [UInt8]? {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, milliseconds) == 1 else { return nil }
    return [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, systemRead(descriptor, buffer.baseAddress, buffer.count))
    }
  }

  /// Returns the output on stderr that is available now.
  func readWaitingErrors() -> [UInt8] {
    var all: [UInt8] = []
    while let bytes = read(from: errors, within: 0), !bytes.isEmpty { all += bytes }
    return all
  }

  /// Waits for the end of the output and of the process, which is killed after the timeout.
  ///
  /// - Returns: The exit code, or the negative number of the signal.
  func waitForEnd() -> Int32 {
    while readOutput() {}
    if !isAtEnd, isOutputOpen { kill(processID, SIGKILL) }
    let status = Self.waitForEnd(of: processID)
    waitStatus = status
    let signalNumber = status & 0x7f
    return signalNumber == 0 ? (status >> 8) & 0xff : -signalNumber
  }

  /// Returns the status of `waitpid`; kills the process after the timeout.
  static func waitForEnd(of processID: pid_t) -> Int32 {
    if let descriptor = WatchedProcess(processID)?.descriptor {
      var ended = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&ended, 1, timeoutMilliseconds) != 1 { kill(processID, SIGKILL) }
      close(descriptor)
    }
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0, errno == EINTR {}
    return status
  }
}

// `ServerProcess.read` would hide the system's `read`.
private let systemRead = read
