import System
import TodoModel

/// Where a database is kept.
package enum SQLiteLocation: Sendable, Equatable {
  /// Gone when the store goes. It is SQLite all the same, so that search, order and conflict mean
  /// one thing in every local store and are tested once.
  case memory
  /// A file. Its folder is made (0700) when it is missing, and so is the file (0600).
  case file(String)
}

/// The file of a database, and the folders above it, before SQLite sees them.
package struct DatabaseFile {
  package let path: String

  package init(path: String) { self.path = path }

  /// Makes what is missing, readable by its owner only. SQLite gives the files that it puts beside
  /// the database (`-wal`, `-shm`) the same mode.
  func create() throws(TodoError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw .storage("The path of the todo file is empty. Name a file with --store sqlite:PATH.")
    }
    try Folder(of: path).create()
    try checkTrust()
    // An existing file is never opened here: closing it would drop the locks that another
    // connection of this process holds on it.
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
      let what = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "no file"
      throw .storage("\(path) is \(what). Name a file with --store sqlite:PATH.")
    }
  }

  /// Throws `storage`, with the command that puts it right, where somebody else owns the file, its
  /// folder, or what SQLite keeps beside it, or may change or replace one of them.
  private func checkTrust() throws(TodoError) {
    if let problem { throw .storage(problem.message) }
  }

  /// What ends the names of the files that SQLite keeps beside a database, and of the mark that we do.
  static let suffixesBeside = ["-wal", "-shm", "-journal", DamagedFile.markerEnd]

  /// The first thing that keeps the file from being trusted; nil where there is nothing.
  package var problem: FileTrust.Problem? {
    // The file itself may be reached by a link, and what it is otherwise is said by who opens it.
    if let problem = FileTrust.problem(ofFile: path) { return problem }
    for suffix in Self.suffixesBeside {
      if let problem = FileTrust.problem(ofKindOf: path + suffix, isLinkFollowed: false) {
        return problem
      }
      if let problem = FileTrust.problem(ofFile: path + suffix) { return problem }
    }
    return FileTrust.problem(onTheWayTo: path)
  }

  /// What to say at a start of a file that others can read; nil where they cannot.
  var looseMode: String? {
    guard let mode = FileMode(of: path), mode.isReadableByOthers else { return nil }
    return "\(path) can be read by others (mode \(mode)). Run: chmod 600 \(ShellWord.quoted(path))"
  }
}

/// A folder that belongs to one person.
package struct Folder {
  package let path: String

  package init(path: String) { self.path = path }

  /// The folder that a file lies in.
  package init(of file: String) {
    guard let slash = file.lastIndex(of: "/") else {
      path = "."
      return
    }
    path = slash == file.startIndex ? "/" : String(file[..<slash])
  }

  /// Makes the folder and those above it where they are missing, each for its owner only.
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
      // Another process may have made it just now.
      guard reason == EEXIST else {
        if let limit = SystemLimit(reason) { throw StorageFailure(name: path).reached(limit) }
        throw .storage(
          "The folder \(path) cannot be made: \(systemReason(reason)). Choose another place.")
      }
    }
  }
}
