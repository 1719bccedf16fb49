import CSystem

/// Another process whose end can be detected.
///
/// ```swift
/// guard let parent = WatchedProcess(processID) else { return }
/// poll(parent.descriptor)
/// ```
///
/// Linux reports the end through a descriptor (pidfd), which identifies the process even if its ID
/// is used again. On other systems, `hasEnded` must be polled. A zombie counts as ended: it has
/// ended, but its parent has not read its status yet.
package struct WatchedProcess: Sendable {
  package let id: pid_t
  /// A descriptor that becomes readable when the process ends; `nil` if the system has none.
  package let descriptor: Int32?

  /// Starts to watch a process; `nil` if it does not exist or is not visible.
  package init?(_ id: pid_t) {
    guard id > 0, kill(id, 0) == 0 || errno == EPERM else { return nil }
    self.id = id
    let opened = openProcessDescriptor(id)
    descriptor = opened >= 0 ? opened : nil
  }

  /// Whether the process has ended. In contrast to `descriptor`, this check uses the process ID: if
  /// a new process gets the same ID, the value is `false` until the new process has ended.
  package var hasEnded: Bool {
    guard kill(id, 0) == 0 || errno == EPERM else { return true }
    return Self.state(of: id).map { "ZX".contains($0) } ?? false
  }

  /// Returns the state of a process as reported in `/proc`; `nil` if there is no `/proc`.
  private static func state(of id: pid_t) -> Character? {
    // The text is like "123 (a name) S ...". The name can contain parentheses.
    guard let text = systemText(of: "/proc/\(id)/stat") else { return nil }
    return text.lastIndex(of: ")").flatMap { text[$0...].dropFirst(2).first }
  }
}
