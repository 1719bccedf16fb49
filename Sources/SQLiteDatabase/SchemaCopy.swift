import System
import TodoModel

/// The copy of a database that is saved beside it before a schema update, such as
/// `todos.sqlite.schema-9`. For each version, only the newest copy is kept.
package struct SchemaCopy {
  /// The path of the database.
  let source: String
  /// The schema version before the update.
  let version: Int

  package var path: String { "\(source).schema-\(version)" }

  /// The path of the copy until shortly before the commit of the update, so that a failed update
  /// does not replace an earlier copy.
  private var draft: String { path + Self.draftEnd }

  private static let draftEnd = ".new"

  /// Whether a file with this name is the draft of a copy, or the draft's journal. An update whose
  /// process was killed leaves such files behind, and the next update replaces them.
  package static func isDraft(_ name: String) -> Bool {
    name.hasSuffix(draftEnd) || name.hasSuffix(draftEnd + "-journal")
  }

  /// Returns the path of the copy with the newest schema version in `range`; `nil` if there is
  /// none.
  package static func newest(of source: String, in range: ClosedRange<Int>) -> String? {
    range.reversed().map { SchemaCopy(source: source, version: $0).path }.first {
      access($0, F_OK) == 0
    }
  }

  /// Writes the last committed state of the database to the draft, with mode 0600, and syncs the
  /// draft to disk.
  func write() throws(TodoError) {
    discardDraft()
    try DatabaseFile(path: draft).create()
    // This needs another connection, because SQLite cannot back up from one with an open write
    // transaction.
    try Connection(reading: source).copyPages(to: draft)
    try Self.flush(draft, O_RDONLY)
  }

  /// Renames the draft to its final name, replacing an earlier copy. When this method returns, the
  /// copy survives a power failure.
  func publish() throws(TodoError) {
    guard rename(draft, path) == 0 else { throw Self.failure(path, errno) }
    try Self.flush(Folder(of: path).path, O_RDONLY | O_DIRECTORY)
  }

  /// Removes the draft and its journal, for example after a failed update.
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
  /// The number of places to which an update may write each page: the saved copy, the log, and a
  /// temporary file during `VACUUM`.
  private static let copyCount: Int64 = 3
  private static let reserve: Int64 = 1 << 20

  let needed: Int64

  init(of connection: Connection) throws(TodoError) {
    needed = try connection.byteCount * Self.copyCount + Self.reserve
  }

  /// Returns the number of bytes that the user may still write to the folder of a file; `nil` if
  /// the system does not report it.
  static func freeBytes(beside path: String) -> Int64? {
    var status = statvfs()
    guard statvfs(Folder(of: path).path, &status) == 0 else { return nil }
    let (bytes, isTooLarge) = Int64(clamping: status.f_bavail)
      .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
    return isTooLarge ? .max : bytes
  }
}
