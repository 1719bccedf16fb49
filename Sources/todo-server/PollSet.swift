import System

/// The descriptors that wake the server.
struct PollSet {
  /// What has woken it. None: the time was up.
  struct Ready: OptionSet {
    var rawValue: UInt8

    static let mailbox = Ready(rawValue: 1)
    static let input = Ready(rawValue: 2)
    static let readerIsGone = Ready(rawValue: 4)
    static let processHasEnded = Ready(rawValue: 8)
  }

  /// In the order of `Ready`.
  private var polls = [pollfd](repeating: pollfd(fd: -1, events: 0, revents: 0), count: 4)

  init(mailbox: Int32, output: Int32) {
    polls[0] = pollfd(fd: mailbox, events: Int16(POLLIN), revents: 0)
    polls[2].fd = output
  }

  /// Has the end of a process wake the server; nil: of none.
  mutating func watch(_ processDescriptor: Int32?) {
    polls[3] = pollfd(fd: processDescriptor ?? -1, events: Int16(POLLIN), revents: 0)
  }

  /// Waits.
  ///
  /// - Parameters:
  ///   - wantsInput: Whether stdin is to be looked at.
  ///   - hasPendingBytes: Whether something waits for the reader, whose end is noticed anyway.
  ///   - timeoutMilliseconds: Below 0: for ever.
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
