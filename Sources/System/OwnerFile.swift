/// Creates files that only their owner can read.
package enum OwnerFile {
  /// Creates a file, or empties an existing file. Never blocks, because pipes are rejected.
  ///
  /// A device, such as `/dev/null`, is only opened.
  ///
  /// - Returns: A descriptor for writing, or the reason of the failure.
  package static func create(_ path: String) -> Result<Int32, Failure> {
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else {
      let reason = errno == ENXIO ? "it is not a regular file" : systemReason(errno)
      return .failure(Failure(path, reason))
    }
    if let reason = problem(with: descriptor) {
      close(descriptor)
      return .failure(Failure(path, reason))
    }
    return .success(descriptor)
  }

  /// Empties a file, and makes it accessible only to its owner. A device is not changed.
  ///
  /// - Returns: The reason why the file is rejected or cannot be changed; `nil` on success.
  private static func problem(with descriptor: Int32) -> String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return systemReason(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFCHR: return nil
    case S_IFREG: break
    default: return "it is not a regular file"
    }
    guard status.st_uid == geteuid() else { return "it belongs to another user" }
    // The path may be a hard link that another user has created to a file of this user. Without
    // this check, that file would be emptied.
    guard status.st_nlink <= 1 else { return "it has another name as well" }
    guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
      return systemReason(errno)
    }
    return nil
  }

  /// The reason why a file could not be created.
  package struct Failure: Error {
    /// The message for the user, without a period at its end.
    package let reason: String

    fileprivate init(_ path: String, _ reason: String) {
      self.reason = "\(path) cannot be written: \(reason)"
    }
  }
}
