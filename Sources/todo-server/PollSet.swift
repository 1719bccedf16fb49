import System

/// The descriptors that wake the server.
struct PollSet {
  /// The reasons for waking; empty if the timeout has expired.
  struct Ready: OptionSet {
    var rawValue: UInt8

    static let mailbox = Ready(rawValue: 1)
    static let input = Ready(rawValue: 2)
    static let readerIsGone = Ready(rawValue: 4)
    static let processHasEnded = Ready(rawValue: 8)
  }

  /// The descriptors in the order of `Ready`.
  private var polls = [pollfd](repeating: pollfd(fd: -1, events: 0, revents: 0), count: 4)

  init(mailbox: Int32, output: Int32) {
    polls[0] = pollfd(fd: mailbox, events: Int16(POLLIN), revents: 0)
    polls[2].fd = output
  }

  /// Sets the descriptor that reports the end of a process; `nil` for none.
  mutating func watch(_ processDescriptor: Int32?) {
    polls[3] = pollfd(fd: processDescriptor ?? -1, events: Int16(POLLIN), revents: 0)
  }

  /// Waits for an event or the timeout.
  ///
  /// - Parameters:
  ///   - wantsInput: Whether to poll stdin.
  ///   - hasPendingBytes: Whether to wake when stdout is writable. If the reader of stdout has
  ///     closed it, `wait` wakes in any case.
  ///   - timeoutMilliseconds: The timeout; negative for none.
  mutating func wait(
    wantsInput: Bool, hasPendingBytes: Bool, timeoutMilliseconds: Int32
  ) -> Ready {
    polls[1] = pollfd(fd: wantsInput ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0)
    polls[2].events = hasPendingBytes ? Int16(POLLOUT) : 0
    var ready = Ready()
    guard poll(&polls, nfds_t(polls.count), timeoutMilliseconds) > 0 else { return ready }
    if polls[0].revents != 0 { ready.insert(.mailbox) }
    if polls[1].revents != 0 { ready.insert(.input) }
    if polls[2].revents & Int16(POLLERR | POLLNVAL) != 0 { ready.insert(.readerIsGone) }
    if polls[3].revents != 0 { ready.insert(.processHasEnded) }
    return ready
  }
}
