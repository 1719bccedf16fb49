import System
import TodoModel

/// The tables of a database, in parts that know nothing of each other.
package struct Schema: Sendable {
  /// Marks a database as ours, so that another program's file is never written to.
  package let applicationID: Int64
  package let version: Int
  /// The oldest version that can be brought up to date.
  package let versionMin: Int
  package let parts: [any SchemaPart]

  package init(
    applicationID: Int64, version: Int, versionMin: Int, parts: [any SchemaPart]
  ) {
    self.applicationID = applicationID
    self.version = version
    self.versionMin = versionMin
    self.parts = parts
  }

  /// The version of what is there, without changing anything; 0 for an empty database. Throws
  /// `storage` for one that is too new, too old or another program's, and for one of this version
  /// whose tables are not ours.
  func check(_ connection: Connection) throws(TodoError) -> Int {
    // From one moment: another process may be making the tables right now.
    try connection.snapshot { () throws(TodoError) in
      let found = try found(by: connection)
      if found == version { try checkTables(of: connection) }
      return found
    }
  }

  /// Creates the tables, or updates those of an older version, of which a copy is saved first
  /// (`SchemaCopy`).
  ///
  /// - Parameters:
  ///   - found: The version that `check` has found.
  ///   - freeBytes: The space on the disk that the file at a path is on; `nil` if it is unknown.
  /// - Throws: As `check` does, and when there is too little space. Then nothing was changed.
  func apply(
    to connection: Connection, found: Int,
    freeBytes: (_ path: String) -> Int64? = UpdateSpace.free
  ) throws(TodoError) {
    if found == version { return }
    if found > 0, let path = connection.path, let free = freeBytes(path) {
      let needed = try UpdateSpace(of: connection).needed
      if free < needed { throw connection.failure.noSpaceToUpdate(free: free, needed: needed) }
    }
    try erase(from: found, in: connection)
    var copy: SchemaCopy?
    defer { copy?.discardDraft() }
    try connection.change { () throws(TodoError) in
      // Another process may have done it while this one waited for its turn.
      let found = try self.found(by: connection)
      guard found < version else { return try checkTables(of: connection) }
      if found > 0 {
        copy = connection.path.map { SchemaCopy(source: $0, version: found) }
        try copy?.write()
      }
      try update(connection, from: found)
      try connection.execute(
        "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version);")
      if found > 0 { try checkTables(of: connection) }
      // The last step before the commit.
      try copy?.publish()
    }
  }

  private func update(_ connection: Connection, from found: Int) throws(TodoError) {
    for part in parts {
      if found == 0 {
        try part.make(over: connection)
      } else {
        try part.update(from: found, over: connection)
      }
    }
  }

  /// Leaves no trace of what an older version must not have stored: in no free page of the file, not
  /// in its log, and so in no copy. It is done before the update, so that one that breaks off is
  /// repeated; and only if the update will succeed, because a file that is not ours is not changed.
  private func erase(from found: Int, in connection: Connection) throws(TodoError) {
    let scripts = found > 0 ? parts.compactMap { $0.erasure(from: found) } : []
    guard !scripts.isEmpty else { return }
    let isNeeded = try connection.rehearse { () throws(TodoError) in
      // Another process may have done it while this one waited for its turn.
      guard try self.found(by: connection) == found else { return false }
      try update(connection, from: found)
      try checkTables(of: connection)
      return true
    }
    guard isNeeded else { return }
    try connection.change { () throws(TodoError) in
      guard try self.found(by: connection) == found else { return }
      for script in scripts { try connection.execute(script) }
    }
    try connection.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
  }

  /// Throws `storage` where the tables are not just those that we make.
  private func checkTables(of connection: Connection) throws(TodoError) {
    if let difference = try SchemaComparison(parts: parts).difference(in: connection) {
      throw connection.failure.otherTables(difference)
    }
  }

  /// How the tables of a database of this version differ from ours; nil where they do not.
  package func difference(in database: InspectedDatabase) throws(TodoError) -> String? {
    try SchemaComparison(parts: parts).difference(in: database.connection)
  }

  /// Why SQLite does not read the tables of a file, as what follows the path in a sentence; nil where
  /// the file is damaged in another way, or sound.
  package func brokenTables(in path: String) -> String? {
    BrokenTables(in: path, schema: self)?.reason()
  }

  /// Throws `storage` for a file of a newer version, before SQLite reads it: to read, SQLite writes to
  /// the index of the log (`-shm`), and the last one to close the file moves the log into it.
  func refuseNewer(_ connection: Connection) throws(TodoError) {
    guard let path = connection.path else { return }
    var header = connection.header
    // The newest header may be in the log only. What is wrong with such a file is reported later.
    if header?.version ?? 0 <= version, InspectedDatabase.isInUse(path),
      let database = try? InspectedDatabase(path: path)
    {
      header = (try? database.header) ?? header
    }
    if let header, header.applicationID == applicationID, header.version > version {
      throw newer(header.version, than: connection)
    }
  }

  private func newer(_ found: Int64, than connection: Connection) -> TodoError {
    connection.failure.newerSchema(found, readable: versionMin...version)
  }

  /// Asked within a transaction.
  private func found(by connection: Connection) throws(TodoError) -> Int {
    let owner = try connection.number("PRAGMA application_id")
    let found = try connection.number("PRAGMA user_version")
    if owner != applicationID {
      let isEmpty = try connection.number("SELECT count(*) FROM sqlite_schema") == 0
      guard owner == 0, found == 0, isEmpty else { throw connection.failure.notOurs }
      return 0
    }
    guard found <= version else {
      throw newer(found, than: connection)
    }
    guard found >= versionMin else { throw connection.failure.olderSchema(found) }
    return Int(found)
  }
}

/// Some tables of a schema.
package protocol SchemaPart: Sendable {
  /// What makes the tables in an empty database: `CREATE`s, each as SQLite keeps its text.
  var scripts: [String] { get }

  /// The texts of the tables that SQLite makes by itself for a virtual one.
  var shadowTables: [String] { get }

  /// Brings the tables of an older version up to date.
  func update(from version: Int, over connection: Connection) throws(TodoError)

  /// The statements that empty what an older version has and no file may have any more; `nil` if there
  /// is nothing of that kind.
  func erasure(from version: Int) -> String?

  /// Makes anew what can be made from the rest, after some of it was found to be damaged.
  func renew(over connection: Connection) throws(TodoError)
}

extension SchemaPart {
  package var shadowTables: [String] { [] }

  package func erasure(from version: Int) -> String? { nil }

  /// Makes the tables in an empty database.
  package func make(over connection: Connection) throws(TodoError) {
    for script in scripts { try connection.execute(script) }
  }
}
