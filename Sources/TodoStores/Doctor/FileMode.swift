import System

/// Who may use a file or a folder.
struct FileMode: CustomStringConvertible {
  private let bits: mode_t

  /// Nil when there is nothing at the path.
  init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    bits = status.st_mode
  }

  var isRegularFile: Bool { bits & S_IFMT == S_IFREG }
  var isOpenToOthers: Bool { bits & 0o077 != 0 }
  var isWritableByOthers: Bool { bits & 0o022 != 0 }
  /// Files in such a folder can be replaced by their owner only.
  var isSticky: Bool { bits & mode_t(S_ISVTX) != 0 }

  /// The permissions as `chmod` takes them.
  var description: String {
    let digits = String(bits & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 3 - digits.utf8.count)) + digits
  }
}
