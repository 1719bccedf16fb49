/// A new file that only its owner can read.
package enum OwnerFile {
  /// Makes the file, in the place of an older one; its descriptor, or why it cannot be made.
  ///
  /// A device, such as `/dev/null`, is written to as it is. Nothing is waited for: not for the reader
  /// of a pipe, which is refused.
  package static func create(_ path: String) -> Result<Int32, Failure> {
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else {
      return .failure(Failure(path, errno == ENXIO ? "it is no file" : systemReason(errno)))
    }
    if let reason = problem(with: descriptor) {
      close(descriptor)
      return .failure(Failure(path, reason))
    }
    return .success(descriptor)
  }

  /// Empties the file, which may have been there with another mode, and takes it for us alone.
  private static func problem(with descriptor: Int32) -> String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return systemReason(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFCHR: return nil
    case S_IFREG: break
    default: return "it is no file"
    }
    guard status.st_uid == geteuid() else { return "it belongs to another user" }
    // Whoever gave it the name of a file of ours would have us empty that.
    guard status.st_nlink <= 1 else { return "it has another name as well" }
    guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
      return systemReason(errno)
    }
    return nil
  }

  /// Why a file cannot be made.
  package struct Failure: Error {
    /// A sentence without its end.
    package let reason: String

    fileprivate init(_ path: String, _ reason: String) {
      self.reason = "\(path) cannot be written: \(reason)"
    }
  }
}
