/// A limit of the process or the system that prevents a file from being opened or written. The
/// cause is not the file itself.
package struct SystemLimit: Equatable {
  /// The beginning of the message for the user, such as `The disk is full`.
  package let reason: String
  /// The advice at the end of the message.
  package let remedy: String

  package static let fullDisk = SystemLimit("The disk is full", "Make room and try again.")

  private init(_ reason: String, _ remedy: String) { (self.reason, self.remedy) = (reason, remedy) }

  /// Creates the limit for an error number; `nil` if the error concerns the file itself.
  package init?(_ error: CInt) {
    switch error {
    case EMFILE:
      self.init(
        "This program has as many files open as it may",
        "Raise its limit (ulimit -n) and start it again.")
    case ENFILE:
      self.init(
        "All programs together have as many files open as the system allows",
        "End programs that you do not need, and try again.")
    case EFBIG:
      self.init(
        "A limit on the size of files is reached (ulimit -f, or that of the file system)",
        "Raise the limit and start again.")
    case ENOSPC, EDQUOT: self = .fullDisk
    default: return nil
    }
  }
}
