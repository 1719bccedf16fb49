import System

/// A running program, and the pipes to its stdin and stdout.
final class MeasuredServer {
  let processID: pid_t
  private let name: String
  private let input: Int32
  private let output: Int32
  private var received = ReceivedBytes()

  /// The time without output after which the program has died or is stuck.
  private static let timeoutMilliseconds: Int32 = 30_000

  /// - Parameter dataFolder: The folder for the program's own files.
  init(_ command: [String], dataFolder: String) throws(BenchmarkError) {
    name = command.first ?? ""
    (processID, input, output) = try Self.start(command, dataFolder: dataFolder)
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(input)
    close(output)
    kill(processID, SIGKILL)
    waitpid(processID, nil, 0)
  }

  /// Writes the bytes and, in parallel, reads frames. Calls `isLast` with the body of each frame
  /// until `isLast` returns `true`. Writing never waits for reading, and reading never waits for
  /// writing.
  func exchange(
    _ bytes: [UInt8], isLast: (UnsafeRawBufferPointer) -> Bool
  ) throws(BenchmarkError) {
    var sentCount = 0
    while true {
      if sentCount < bytes.count {
        let count = bytes[sentCount...].withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EAGAIN || errno == EINTR else { throw ended }
        sentCount += max(0, count)
      }
      while let body = received.nextFrame() {
        if isLast(body) { return }
      }
      var polls = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: sentCount < bytes.count ? input : -1, events: Int16(POLLOUT), revents: 0),
      ]
      guard poll(&polls, nfds_t(polls.count), Self.timeoutMilliseconds) > 0 else {
        throw BenchmarkError("\(name) does not answer")
      }
      if polls[0].revents != 0, !received.fill(from: output) { throw ended }
    }
  }

  private var ended: BenchmarkError { BenchmarkError("\(name) has ended") }
}

// MARK: Starting

extension MeasuredServer {
  private static func start(
    _ command: [String], dataFolder: String
  ) throws(BenchmarkError) -> (processID: pid_t, input: Int32, output: Int32) {
    let (inEnds, outEnds) = (try pipeEnds(), try pipeEnds())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, inEnds[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, outEnds[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    defer {
      close(inEnds[0])
      close(outEnds[1])
    }
    let processID = try spawn(
      command, variables: ["XDG_DATA_HOME": dataFolder], actions: &actions)
    return (processID, inEnds[1], outEnds[0])
  }

  private static func pipeEnds() throws(BenchmarkError) -> [Int32] {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw BenchmarkError("the system gives no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }
}

// MARK: Size

extension MeasuredServer {
  /// The program's resident memory, in kilobytes; `nil` on a system without `/proc`.
  var residentKilobytes: Double? {
    guard let file = fopen("/proc/\(processID)/status", "r") else { return nil }
    defer { fclose(file) }
    var text = [UInt8](repeating: 0, count: 8_192)
    let count = fread(&text, 1, text.count, file)
    let lines = String(decoding: text[..<count], as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("VmRSS:") }
    return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap {
      Double($0)
    }
  }
}
