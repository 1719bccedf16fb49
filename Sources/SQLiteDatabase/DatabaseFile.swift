import System
import TodoModel

/// The location of a database.
package enum SQLiteLocation: Sendable, Equatable {
  /// A database that exists only as long as its store. Like a database in a file, it uses SQLite,
  /// so that search, order and conflicts work the same in all local stores, and are tested once.
  case memory
  /// A file. If it is missing, it is created with mode 0600, and its folder with mode 0700.
  case file(String)
}

/// A database file and its folders, which are checked and created before SQLite opens the file.
package struct DatabaseFile {
  package let path: String

  package init(path: String) { self.path = path }

  /// Creates the file and its folders if they are missing, accessible to the owner only. SQLite
  /// creates the files beside the database (`-wal`, `-shm`) with the same mode.
  func create() throws(TodoError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw .storage("The path of the todo file is empty. Name a file with --store sqlite:PATH.")
    }
    try Folder(of: path).create()
    try checkTrust()
    // An existing file must not be opened: closing it would release the locks that another
    // connection of this process has on it.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      return
    }
    let reason = errno
    guard reason == EEXIST else {
      if let limit = SystemLimit(reason) { throw StorageFailure(name: path).reached(limit) }
      throw .storage("\(path) cannot be made: \(systemReason(reason)). Choose another place.")
    }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      let what = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file"
      throw .storage("\(path) is \(what). Name a file with --store sqlite:PATH.")
    }
  }

  /// Checks the owners and permissions of the file, its folder and the files beside it: other users
  /// must neither own them nor be able to change or replace them.
  ///
  /// - Throws: `storage` with the command that fixes the problem.
  private func checkTrust() throws(TodoError) {
    if let problem { throw .storage(problem.message) }
  }

  /// The suffixes of the files beside a database: those of SQLite and the damage marker.
  static let suffixesBeside = ["-wal", "-shm", "-journal", DamagedFile.markerEnd]

  /// The first reason not to trust the file; `nil` if there is none.
  package var problem: FileTrust.Problem? {
    // The file itself may be a link. Other problems with its kind are reported when it is opened.
    if let problem = FileTrust.problem(ofFile: path) { return problem }
    for suffix in Self.suffixesBeside {
      if let problem = FileTrust.problem(ofKindOf: path + suffix, followsLinks: false) {
        return problem
      }
      if let problem = FileTrust.problem(ofFile: path + suffix) { return problem }
    }
    return FileTrust.problem(onTheWayTo: path)
  }

  /// The warning that other users can read the file, shown at the start of the server; `nil` if
  /// they cannot.
  var readableByOthersWarning: String? {
    guard let mode = FileMode(of: path), mode.isReadableByOthers else { return nil }
    return "\(path) can be read by others (mode \(mode)). Run: chmod 600 \(ShellWord.quoted(path))"
  }
}

/// A folder, by its path. It need not exist.
package struct Folder {
  package let path: String

  package init(path: String) { self.path = path }

  /// Creates the value for the folder that contains a file.
  package init(of file: String) {
    guard let slash = file.lastIndex(of: "/") else {
      path = "."
      return
    }
    path = slash == file.startIndex ? "/" : String(file[..<slash])
  }

  /// Creates the folder and its missing parents, accessible to the owner only.
  package func create() throws(TodoError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw .storage("\(path) is not a folder. Move that file away, or choose another place.")
      }
      return
    }
    try Folder(of: path).create()
    if mkdir(path, 0o700) != 0 {
      let reason = errno
      // Another process may have created it in the meantime.
      guard reason == EEXIST else {
        if let limit = SystemLimit(reason) { throw StorageFailure(name: path).reached(limit) }
        throw .storage(
          "The folder \(path) cannot be made: \(systemReason(reason)). Choose another place.")
      }
    }
  }
}
