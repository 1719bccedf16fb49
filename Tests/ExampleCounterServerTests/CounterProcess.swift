import Synchronization
import System

/// The example as a separate process, with real pipes.
struct CounterProcess {
  struct SystemError: Error {}

  /// The timeout after which a test fails instead of hanging.
  private static let timeoutMilliseconds: Int32 = 300_000

  private let processID: pid_t
  private let input: Int32
  private let output: Int32

  /// The path of the program, which was built into the same folder as these tests.
  private static var program: String {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = buffer.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        characters.baseAddress.map { readlink("/proc/self/exe", $0, characters.count) } ?? 0
      }
    }
    let own = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return own.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/CounterServer"
  }

  /// A lock, so that only one process is started at a time. A child that is started between `pipe`
  /// and `fcntl` would inherit the pipe and keep it open.
  private static let starting = Mutex(())

  init() throws {
    (processID, input, output) = try Self.starting.withLock { _ in try Self.start() }
  }

  private static func start() throws -> (processID: pid_t, input: Int32, output: Int32) {
    let (inEnds, outEnds) = (try pipeEnds(), try pipeEnds())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, inEnds[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, outEnds[1], STDOUT_FILENO)
    let word = strdup(program)
    defer { free(word) }
    var processID: pid_t = 0
    let result = posix_spawn(&processID, program, &actions, nil, [word, nil], environ)
    close(inEnds[0])
    close(outEnds[1])
    guard result == 0 else { throw SystemError() }
    return (processID, inEnds[1], outEnds[0])
  }

  private static func pipeEnds() throws -> [Int32] {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SystemError() }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  /// Writes all bytes, closes the input, and waits until the process ends.
  func converse(_ bytes: [UInt8]) throws -> (said: [UInt8], exitCode: Int32) {
    defer { close(output) }
    let count = write(input, bytes, bytes.count)
    close(input)
    guard count == bytes.count else { throw SystemError() }
    var said: [UInt8] = []
    while case let more = try readMore(), !more.isEmpty { said += more }
    var status: Int32 = 0
    waitpid(processID, &status, 0)
    return (said, status == 0 ? 0 : 1)
  }

  /// Reads more output; empty at the end. Kills the process after the timeout.
  private func readMore() throws -> [UInt8] {
    var polled = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, Self.timeoutMilliseconds) == 1 else {
      kill(processID, SIGKILL)
      waitpid(processID, nil, 0)
      throw SystemError()
    }
    return [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
      count = max(0, read(output, buffer.baseAddress, buffer.count))
    }
  }
}
