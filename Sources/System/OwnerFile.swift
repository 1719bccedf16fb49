/// A new file that only its owner can read.
package enum OwnerFile {
  /// Makes the file, in the place of an older one; its descriptor, or why it cannot be made.
  package static func create(_ path: String) -> Result<Int32, Failure> {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return .failure(Failure(path)) }
    // It may have been there with another mode.
    guard fchmod(descriptor, 0o600) == 0 else {
      let failure = Failure(path)
      close(descriptor)
      return .failure(failure)
    }
    return .success(descriptor)
  }

  /// Why a file cannot be made.
  package struct Failure: Error {
    /// A sentence without its end.
    package let reason: String

    fileprivate init(_ path: String) {
      reason = "\(path) cannot be written: \(String(cString: strerror(errno)))"
    }
  }
}
