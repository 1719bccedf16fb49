import System
import TodoModel

/// The copy of a database that is saved beside it before a schema update, such as
/// `todos.sqlite.schema-9`. There is one copy for each version, the newest.
package struct SchemaCopy {
  /// The path of the database.
  let source: String
  /// The schema version before the update.
  let version: Int

  package var path: String { "\(source).schema-\(version)" }

  /// The path of the copy until the update is about to be committed, so that a failed update does
  /// not replace an earlier copy.
  private var draft: String { path + Self.draftEnd }

  private static let draftEnd = ".new"

  /// Whether a file was left by an update that was killed; the next update replaces it.
  package static func isDraft(_ name: String) -> Bool {
    name.hasSuffix(draftEnd) || name.hasSuffix(draftEnd + "-journal")
  }

  /// The newest copy with a schema version in `range`.
  package static func newest(of source: String, in range: ClosedRange<Int>) -> String? {
    range.reversed().map { SchemaCopy(source: source, version: $0).path }.first {
      access($0, F_OK) == 0
    }
  }

  /// Writes the database, as last committed, to the draft with mode 0600, and syncs it.
  func write() throws(TodoError) {
    discardDraft()
    try DatabaseFile(path: draft).create()
    // On its own connection: SQLite cannot back up from a connection with an open write.
    try Connection(reading: source).copyPages(to: draft)
    try Self.flush(draft, O_RDONLY)
  }

  /// Renames the draft to its final name, replacing an earlier copy. Afterwards the copy survives a
  /// power failure.
  func publish() throws(TodoError) {
    guard rename(draft, path) == 0 else { throw Self.failure(path, errno) }
    try Self.flush(Folder(of: path).path, O_RDONLY | O_DIRECTORY)
  }

  /// Removes the files of an update that did not succeed.
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

/// The disk space needed for an update.
struct UpdateSpace {
  /// Each page may be in the copy, in the log, and in a temporary file during VACUUM.
  private static let copyCount: Int64 = 3
  private static let reserve: Int64 = 1 << 20

  let needed: Int64

  init(of connection: Connection) throws(TodoError) {
    needed = try connection.byteCount * Self.copyCount + Self.reserve
  }

  /// The number of bytes that the user may still write to the folder of a file; `nil` if the system
  /// does not report it.
  static func free(beside path: String) -> Int64? {
    var status = statvfs()
    guard statvfs(Folder(of: path).path, &status) == 0 else { return nil }
    let (bytes, isTooLarge) = Int64(clamping: status.f_bavail)
      .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
    return isTooLarge ? .max : bytes
  }
}
