/// The owner, the type and the permissions of a file or folder.
package struct FileMode: CustomStringConvertible {
  private let bits: mode_t
  /// The numeric IDs of the owner and the group.
  package let (owner, group): (uid_t, gid_t)

  /// Reads the mode of the file at a path. Follows symbolic links. Returns `nil` if no file exists.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the mode of the file at a path, or of the link if the path is a symbolic link. Returns
  /// `nil` if no file exists.
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
  /// Whether only the owner of a file in this folder can replace or remove the file.
  package var isSticky: Bool { bits & mode_t(S_ISVTX) != 0 }

  /// The permissions in the form that `chmod` accepts.
  package var description: String {
    let digits = String(bits & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 3 - digits.utf8.count)) + digits
  }
}
