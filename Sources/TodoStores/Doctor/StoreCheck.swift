import SQLiteDatabase
import System
import TodoModel

/// The check of a store's file by the command `doctor`.
struct StoreCheck {
  let path: String
  /// Whether only todo-server has files in the folder, so that the folder's mode must be private.
  let isPrivateFolder: Bool

  func findings() -> [Finding] {
    guard let mode = FileMode(of: path) else {
      return [Finding(.note, "store: \(path) does not exist; the first start creates it")]
        + trustFindings + otherFileFindings
    }
    guard mode.isRegularFile else {
      return [Finding(.problem, "store: \(path) is not a file. Name one with --store sqlite:PATH.")]
    }
    let trust = trustFindings
    // The same problem may also prevent reading the content.
    let content = contentFindings.filter { !trust.contains($0) }
    return [modeFinding(mode)] + folderFindings + trust + content + otherFileFindings
  }

  // MARK: Modes

  private func modeFinding(_ mode: FileMode) -> Finding {
    guard mode.isOpenToOthers else { return Finding(.ok, "store: \(path), mode \(mode)") }
    return Finding(
      .problem,
      "store: \(path) is open to others (mode \(mode)). Run: chmod 600 \(ShellWord.quoted(path))")
  }

  private var folder: String { Folder(of: path).path }

  private var folderFindings: [Finding] {
    guard let mode = FileMode(of: folder) else { return [] }
    // A user who can write in a folder can replace this file.
    let isWrong =
      isPrivateFolder ? mode.isOpenToOthers : mode.isWritableByOthers && !mode.isSticky
    guard isWrong else { return [Finding(.ok, "folder: \(folder), mode \(mode)")] }
    let remedy = isPrivateFolder ? "chmod 700" : "chmod go-w"
    return [
      Finding(
        .problem,
        "folder: \(folder) is open to others (mode \(mode)). "
          + "Run: \(remedy) \(ShellWord.quoted(folder))")
    ]
  }

  /// The reasons why a server would not trust the store or its lock file:
  ///
  /// - Another user owns one of the files, can write to it, or can replace it.
  /// - A file beside the store is a link or a pipe.
  private var trustFindings: [Finding] {
    [DatabaseFile(path: path).problem, FileTrust.problem(ofFile: HostLockFile.path(beside: path))]
      .compactMap { $0 }.map { Finding(.problem, "store: \($0.message)") }
  }

  // MARK: Content

  private var contentFindings: [Finding] {
    do throws(TodoError) {
      return try content()
    } catch {
      return [brokenFinding ?? Finding(.problem, "store: \(error.message)")]
    }
  }

  private func content() throws(TodoError) -> [Finding] {
    let database = try InspectedDatabase(path: path)
    let integrity = try database.texts("PRAGMA integrity_check(5)")
    if integrity != ["ok"] {
      // A server that started writing during the check may have caused these problems.
      if database.isImmutable, InspectedDatabase.isInUse(path) { return try content() }
      if let brokenFinding { return [brokenFinding] }
      let problems = integrity.joined(separator: "; ")
      return [
        Finding(
          .problem,
          "integrity: \(problems). Copy the file, then start the server: it sets a damaged file "
            + "aside and begins a new one.")
      ]
    }
    let schema = try schemaFinding(database)
    let counts = schema.hasTables ? [try countFinding(database)] : []
    return [Finding(.ok, "integrity: ok"), schema.finding] + counts
  }

  /// The finding for tables that SQLite cannot read although the pages are intact; `nil` if there
  /// is no such problem.
  private var brokenFinding: Finding? {
    Schema.todos.brokenTables(in: path).map { reason in
      Finding(.problem, "schema: \(StorageFailure(name: path).brokenTables(reason).message)")
    }
  }

  private func schemaFinding(
    _ database: InspectedDatabase
  ) throws(TodoError) -> (finding: Finding, hasTables: Bool) {
    let known = Schema.todos.version
    let failure = StorageFailure(name: path)
    let version = try database.number("PRAGMA user_version")
    guard try database.number("PRAGMA application_id") == Schema.todos.applicationID else {
      let isEmpty = try database.number("SELECT count(*) FROM sqlite_schema") == 0
      return isEmpty
        ? (Finding(.note, "schema: none yet; the next start makes it"), false)
        : (Finding(.problem, "schema: \(failure.foreignDatabase.message)"), false)
    }
    if version > known {
      let error = failure.newerSchema(version, readable: Schema.todos.versionMin...known)
      return (Finding(.problem, "schema: \(error.message)"), false)
    }
    if version < known {
      let text =
        "schema: version \(version); the next start updates it to \(known), and saves a copy of the "
        + "file as \(path).schema-\(version) before"
      return (Finding(.note, text), version > 0)
    }
    if let difference = try Schema.todos.difference(in: database) {
      return (Finding(.problem, "schema: \(failure.otherTables(difference).message)"), false)
    }
    return (Finding(.ok, "schema: version \(version)"), true)
  }

  private func countFinding(_ database: InspectedDatabase) throws(TodoError) -> Finding {
    let lists = try database.number("SELECT count(*) FROM list")
    let todos = try database.number("SELECT count(*) FROM todo WHERE is_removed = 0")
    let accounts = try database.number("SELECT count(*) FROM account")
    return Finding(
      .ok,
      "content: \(counted(Int(lists), "list")), \(counted(Int(todos), "todo")), "
        + "\(counted(Int(accounts), "account"))")
  }

  // MARK: Other files

  /// The findings about other files beside the store: damaged stores and backups from earlier
  /// starts, and the file that records that a damaged page was found.
  private var otherFileFindings: [Finding] {
    let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    return (FolderListing.sorted(in: folder) ?? []).compactMap { other in
      let place = "\(folder)/\(other)"
      if other == name + ".damaged" {
        return Finding(
          .problem, "store: a damaged page was met; the next start looks at all of them (\(place))")
      }
      guard !other.hasSuffix("-wal"), !other.hasSuffix("-shm") else { return nil }
      if other.hasPrefix(name + ".damaged-") {
        return Finding(.note, "set aside: \(place) is a damaged store of an earlier time")
      }
      if other.hasPrefix(name + ".schema-") {
        guard !SchemaCopy.isDraft(other) else { return nil }
        return Finding(
          .note, "backup: \(place) is the store before an update; delete it when you do not need it"
        )
      }
      return nil
    }
  }
}
