/// Who may use a file or a folder.
package struct FileMode: CustomStringConvertible {
  private let bits: mode_t
  /// The numbers of the user and the group that it belongs to.
  package let (owner, group): (uid_t, gid_t)

  /// Nil when there is nothing at the path.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Of a link itself, and not of what it leads to.
  package init?(ofLink path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  package init(_ status: stat) {
    (bits, owner, group) = (status.st_mode, status.st_uid, status.st_gid)
  }

  package var isRegularFile: Bool { bits & S_IFMT == S_IFREG }
  package var isLink: Bool { bits & S_IFMT == S_IFLNK }
  package var isFolder: Bool { bits & S_IFMT == S_IFDIR }
  package var isOpenToOthers: Bool { bits & 0o077 != 0 }
  package var isReadableByOthers: Bool { bits & 0o044 != 0 }
  package var isWritableByOthers: Bool { bits & 0o022 != 0 }
  package var isWritableByAll: Bool { bits & 0o002 != 0 }
  /// Files in such a folder can be replaced by their owner only.
  package var isSticky: Bool { bits & mode_t(S_ISVTX) != 0 }

  /// The permissions as `chmod` takes them.
  package var description: String {
    let digits = String(bits & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 3 - digits.utf8.count)) + digits
  }
}
