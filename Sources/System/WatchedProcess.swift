import CSystem

/// Another process, watched until it ends.
///
/// ```swift
/// guard let parent = WatchedProcess(processID) else { return }
/// poll(parent.descriptor)
/// ```
///
/// Linux tells of the end through a descriptor, a pidfd, which stands for this very process: a
/// later one with the same number is not taken for it. Where there is none, `hasEnded` is to be
/// asked from time to time. A process that has ended but that its parent has not waited for, a
/// zombie, has ended.
package struct WatchedProcess: Sendable {
  package let id: pid_t
  /// Can be read once the process has ended; nil where the system has no such descriptor.
  package let descriptor: Int32?

  /// Nil when there is no such process, or none that can be seen from here.
  package init?(_ id: pid_t) {
    guard id > 0, kill(id, 0) == 0 || errno == EPERM else { return nil }
    self.id = id
    let opened = openProcessDescriptor(id)
    descriptor = opened >= 0 ? opened : nil
  }

  /// Looks the process up by its number.
  package var hasEnded: Bool {
    guard kill(id, 0) == 0 || errno == EPERM else { return true }
    return Self.state(of: id).map { "ZX".contains($0) } ?? false
  }

  /// The letter that `/proc` has for it; nil where there is no `/proc`.
  private static func state(of id: pid_t) -> Character? {
    // "123 (a name) S ...", where the name may have brackets of its own.
    guard let text = systemText(of: "/proc/\(id)/stat") else { return nil }
    return text.lastIndex(of: ")").flatMap { text[$0...].dropFirst(2).first }
  }
}
