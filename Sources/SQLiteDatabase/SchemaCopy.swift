import System
import TodoModel

/// The copy of a database that is saved beside it before an update of its schema, such as
/// `todos.sqlite.schema-9`. Each version has one copy, the newest.
package struct SchemaCopy {
  /// The path of the database.
  let source: String
  /// The version of its schema before the update.
  let version: Int

  package var path: String { "\(source).schema-\(version)" }

  /// The copy until the update is about to be committed: one that fails leaves an earlier copy as it
  /// is.
  private var draft: String { path + Self.draftEnd }

  private static let draftEnd = ".new"

  /// Whether a file is the rest of an update that was killed; the next update replaces it.
  package static func isDraft(_ name: String) -> Bool {
    name.hasSuffix(draftEnd) || name.hasSuffix(draftEnd + "-journal")
  }

  /// Returns the newest copy that a program can read which knows the versions in `range`.
  package static func newest(of source: String, in range: ClosedRange<Int>) -> String? {
    range.reversed().map { SchemaCopy(source: source, version: $0).path }.first {
      access($0, F_OK) == 0
    }
  }

  /// Writes the database, as it was committed last, to the disk under another name, mode 0600.
  func write() throws(TodoError) {
    discardDraft()
    try DatabaseFile(path: draft).create()
    // From a connection of its own: SQLite copies nothing out of an open change.
    try Connection(reading: source).copyPages(to: draft)
    try Self.flush(draft, O_RDONLY)
  }

  /// Renames the copy to its final name, in place of an earlier one. Afterwards it survives a power failure.
  func publish() throws(TodoError) {
    guard rename(draft, path) == 0 else { throw Self.failure(path, errno) }
    try Self.flush(Folder(of: path).path, O_RDONLY | O_DIRECTORY)
  }

  /// Removes what is left of an update that did not succeed.
  func discardDraft() {
    for end in ["", "-journal"] { unlink(draft + end) }
  }

  private static func flush(_ path: String, _ flags: CInt) throws(TodoError) {
    let descriptor = open(path, flags | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure(path, errno) }
  }

  private static func failure(_ path: String, _ error: CInt) -> TodoError {
    if let limit = SystemLimit(error) { return StorageFailure(name: path).reached(limit) }
    return .storage(
      "\(path) cannot be written: \(systemReason(error)). A copy is saved there before an update.")
  }
}

/// The space that an update needs on the disk.
struct UpdateSpace {
  /// Every page may be in the copy, in the log, and, while SQLite makes the file smaller, in a temporary
  /// file.
  private static let copyCount: Int64 = 3
  private static let reserve: Int64 = 1 << 20

  let needed: Int64

  init(of connection: Connection) throws(TodoError) {
    needed = try connection.byteCount * Self.copyCount + Self.reserve
  }

  /// Returns the bytes that a user may still write to the folder of a file; `nil` if the system does
  /// not tell.
  static func free(beside path: String) -> Int64? {
    var status = statvfs()
    guard statvfs(Folder(of: path).path, &status) == 0 else { return nil }
    let (bytes, isTooLarge) = Int64(clamping: status.f_bavail)
      .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
    return isTooLarge ? .max : bytes
  }
}
