/// Asks a person at a terminal for a line, without showing what is typed.
///
/// The terminal is as it was found whenever this returns, and a signal that would end or stop the
/// program meanwhile is handed to the caller instead, after that. (The way of OpenBSD's
/// `readpassphrase`.)
package struct SilentPrompt {
  package enum Answer: Equatable {
    /// What was typed, without the line's end.
    case line(String)
    case inputEnded
    /// The signal has not done yet what it does: `raise` it.
    case signal(Int32)
  }

  private let input: Int32
  private let output: Int32
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
  /// More than a terminal takes in a line.
  private static let bytesMax = 1 << 16

  package init(input: Int32 = STDIN_FILENO, output: Int32 = STDERR_FILENO) {
    (self.input, self.output) = (input, output)
  }

  package func ask(_ prompt: String) -> Answer {
    var found = termios()
    guard tcgetattr(input, &found) == 0, let wake = Pipe() else { return .inputEnded }
    wake.makeNonblocking()
    let caught = Signals.catch(Self.signals, waking: wake.writer)
    var silent = found
    silent.c_lflag &= ~tcflag_t(ECHO | ECHONL)
    silent.c_lflag |= tcflag_t(ICANON | ISIG)
    set(&silent)
    writeAll(Array(prompt.utf8), to: output)
    let line = readLine(unless: wake.reader)
    set(&found)
    writeAll([UInt8(ascii: "\n")], to: output)
    caught.restore()
    // Also one that came after the line.
    if let number = Signals.nextSignal() { return .signal(number) }
    return line.map { .line(String(decoding: $0, as: UTF8.self)) } ?? .inputEnded
  }

  /// A signal may come while what was written is on its way to the screen.
  private func set(_ mode: inout termios) {
    while tcsetattr(input, TCSAFLUSH, &mode) < 0, errno == EINTR {}
  }

  /// Byte by byte, so that nothing of the next line is taken. Nil at the end of the input, and
  /// when a signal came.
  private func readLine(unless wake: Int32) -> [UInt8]? {
    var line: [UInt8] = []
    var byte: [UInt8] = [0]
    while line.count < Self.bytesMax {
      var polls = [input, wake].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let count = poll(&polls, nfds_t(polls.count), -1)
      if count < 0, errno == EINTR { continue }
      guard count > 0, polls[1].revents == 0, readSome(&byte, from: input) == 1 else { return nil }
      if byte[0] == UInt8(ascii: "\n") { return line }
      line.append(byte[0])
    }
    return nil
  }
}
