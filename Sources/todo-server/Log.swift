import System
import TodoModel
import TodoServer
import TodoWorkflows

/// Log lines to stderr or to a file. A reader that does not read costs lines, never time: what
/// cannot be written at once is dropped, and counted.
struct Log {
  private let level: LogLevel
  private let descriptor: Int32
  private var droppedCount = 0

  /// Nil when the file cannot be opened.
  init?(level: LogLevel, file: String?) {
    self.level = level
    guard let file else {
      descriptor = STDERR_FILENO
      return
    }
    descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    if descriptor < 0 { return nil }
  }

  mutating func write(_ level: LogLevel, _ text: @autoclosure () -> String) {
    guard level >= self.level else { return }
    if droppedCount > 0, writeWhole("\(droppedCount) log lines were dropped") { droppedCount = 0 }
    if !writeWhole("\(level.rawValue): \(PrintableText(text()))") { droppedCount += 1 }
  }

  /// Whether the line could be written at once. A pipe that is ready takes `PIPE_BUF` bytes whole,
  /// and a printable text with its time is shorter.
  private func writeWhole(_ text: String) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard systemPoll(&poll, 1, 0) == 1, poll.revents & Int16(POLLOUT) != 0 else { return false }
    let line = Array("\(Timestamp.now) \(text)\n".utf8)
    return line.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) } == line.count
  }
}

// Inside a type with a `write` of its own, the system's needs another name.
private let systemPoll = poll
private let systemWrite = write
