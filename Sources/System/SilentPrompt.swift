/// A prompt that reads a line, such as a password, from a terminal without showing the line.
///
/// The terminal settings are restored before `ask` returns. If a signal would end or stop the
/// program during the call, `ask` returns the signal instead, as in OpenBSD's `readpassphrase`.
package struct SilentPrompt {
  package enum Answer: Equatable {
    /// The line that the user has entered, without its line end.
    case line(String)
    case inputEnded
    /// A signal was caught. The caller must `raise` it, so that it has its usual effect.
    case signal(Int32)
  }

  private let input: Int32
  private let output: Int32
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
  /// The maximum length of the line, in bytes. It is more than a terminal accepts.
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
    // The signal may also have arrived after the line.
    if let number = Signals.nextSignal() { return .signal(number) }
    return line.map { .line(String(decoding: $0, as: UTF8.self)) } ?? .inputEnded
  }

  /// Sets the mode of the terminal. Tries again if a signal interrupts the call.
  private func set(_ mode: inout termios) {
    while tcsetattr(input, TCSAFLUSH, &mode) < 0, errno == EINTR {}
  }

  /// Reads a line byte by byte, so that no byte of the next line is consumed. Returns `nil` at the
  /// end of the input, and after a signal.
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
