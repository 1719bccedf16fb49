import System
import TodoModel
import TodoServer
import TodoWorkflows

/// A log that writes lines to stderr or a file, without blocking. Lines that cannot be written
/// immediately are dropped and counted.
struct Log {
  private let level: LogLevel
  private let descriptor: Int32
  private var droppedCount = 0

  /// Opens the log.
  ///
  /// - Throws: `StartError` if the file cannot be opened or is not safe. A FIFO without a reader is
  ///   accepted.
  init(level: LogLevel, file: String?) throws(StartError) {
    self.level = level
    guard let file else {
      descriptor = STDERR_FILENO
      return
    }
    let flags = O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    var opened = open(file, flags | O_WRONLY, 0o600)
    if opened < 0, errno == ENXIO { opened = open(file, flags | O_RDWR, 0o600) }
    guard opened >= 0 else {
      throw StartError(message: "--log-file \(file) cannot be opened: \(systemReason(errno))")
    }
    descriptor = opened
    if let reason = Self.problem(with: opened, at: file) {
      close(opened)
      throw StartError(message: "--log-file \(file) \(reason). Name another file.")
    }
  }

  /// Returns the reason why a regular file is not safe to write to; `nil` if it is safe, or if the
  /// file is not a regular file. If another user owns the file, that user could read the log. If
  /// another user owns a link on its path, that user could redirect the log to another file.
  private static func problem(with descriptor: Int32, at path: String) -> String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    if status.st_uid != geteuid() { return "belongs to another user" }
    if status.st_nlink > 1 { return "has another name as well" }
    return FileTrust.linkProblem(onTheWayTo: path).map {
      "leads over \($0.path), which \($0.reason)"
    }
  }

  mutating func write(_ level: LogLevel, _ text: @autoclosure () -> String) {
    guard level >= self.level else { return }
    if droppedCount > 0, writeWhole("\(droppedCount) log lines were dropped") { droppedCount = 0 }
    if !writeWhole("\(level.rawValue): \(PrintableText(text()))") { droppedCount += 1 }
  }

  /// Writes a line if that does not block. The line, including its timestamp, is shorter than
  /// `PIPE_BUF`. A pipe that is ready for writing accepts that many bytes as a whole.
  ///
  /// - Returns: Whether the whole line was written.
  private func writeWhole(_ text: String) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard systemPoll(&poll, 1, 0) == 1, poll.revents & Int16(POLLOUT) != 0 else { return false }
    let line = Array("\(Timestamp.now) \(text)\n".utf8)
    return line.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) } == line.count
  }
}

// `Log.write` would hide the system's `write`.
private let systemPoll = poll
private let systemWrite = write
