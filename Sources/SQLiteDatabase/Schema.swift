import System
import TodoModel

/// The schema of a database, in independent parts.
package struct Schema: Sendable {
  /// The number that identifies a database of this program, so that other files are never written
  /// to.
  package let applicationID: Int64
  package let version: Int
  /// The oldest version that can be updated to the current one.
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

  /// Returns the version of the existing tables, without changing anything; 0 for an empty
  /// database.
  ///
  /// - Throws: `TodoError.storage` if the database is too new, too old or of another program, or if
  ///   it has the current version but unexpected tables.
  func check(_ connection: Connection) throws(TodoError) -> Int {
    // A single transaction, because another process may be creating the tables concurrently.
    try connection.snapshot { () throws(TodoError) in
      let found = try found(by: connection)
      if found == version { try checkTables(of: connection) }
      return found
    }
  }

  /// Creates or updates the tables, depending on the found version:
  /// - In an empty database, creates the tables.
  /// - For an older version, saves a copy of the database (`SchemaCopy`), then updates the tables.
  /// - For the current version, does nothing.
  ///
  /// - Parameters:
  ///   - found: The result of `check`.
  ///   - freeBytes: Returns the free space, in bytes, on the disk that contains the file at a path;
  ///     `nil` if the space is unknown.
  /// - Throws: The errors of `check`, and `storage` if there is too little space. After an error,
  ///   the tables are unchanged, except that data that must not be stored may have been erased (see
  ///   `SchemaPart.erasure`).
  func apply(
    to connection: Connection, found: Int,
    freeBytes: (_ path: String) -> Int64? = UpdateSpace.freeBytes
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
      // Another process may have updated the tables during the wait for the lock.
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
      // This is the last step before the commit.
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

  /// Erases data that an older version should not have stored, including the remains of the data in
  /// free pages and in the log. The erasure precedes the update for two reasons:
  /// - The saved copy of the old file (`SchemaCopy`) must not contain the data.
  /// - An interrupted erasure must be repeated when the file is opened again.
  ///
  /// The update is first tried and rolled back. If it fails, nothing is erased, so that a file with
  /// unexpected tables is not changed.
  private func erase(from found: Int, in connection: Connection) throws(TodoError) {
    let scripts = found > 0 ? parts.compactMap { $0.erasure(from: found) } : []
    guard !scripts.isEmpty else { return }
    let isNeeded = try connection.rehearse { () throws(TodoError) in
      // Another process may have updated the tables during the wait for the lock.
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

  /// Checks that the tables are those of this schema.
  ///
  /// - Throws: `storage` if they differ.
  private func checkTables(of connection: Connection) throws(TodoError) {
    if let difference = try SchemaComparison(parts: parts).difference(in: connection) {
      throw connection.failure.otherTables(difference)
    }
  }

  /// Returns the first difference between the tables of a database and this schema; `nil` if there
  /// is none. The database must have the version of this schema.
  package func difference(in database: InspectedDatabase) throws(TodoError) -> String? {
    try SchemaComparison(parts: parts).difference(in: database.connection)
  }

  /// Returns why SQLite cannot read the tables of a file, as a clause that follows the path in a
  /// message; `nil` if the file is intact or damaged in another way.
  package func brokenTables(in path: String) -> String? {
    BrokenTables(in: path, schema: self)?.reason()
  }

  /// Refuses a file of a newer version, before SQLite reads the file. Otherwise, SQLite would
  /// change files: even for reading, it writes to the index of the log (`-shm`), and the last
  /// connection that is closed moves the log into the database file.
  ///
  /// - Throws: `storage` if the file has a newer version.
  func refuseNewer(_ connection: Connection) throws(TodoError) {
    guard let path = connection.path else { return }
    var header = connection.header
    // The newest header may be only in the log. Other problems with the file are reported later.
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

  /// Returns the version of the existing tables. Must be called within a transaction.
  private func found(by connection: Connection) throws(TodoError) -> Int {
    let owner = try connection.number("PRAGMA application_id")
    let found = try connection.number("PRAGMA user_version")
    if owner != applicationID {
      let isEmpty = try connection.number("SELECT count(*) FROM sqlite_schema") == 0
      guard owner == 0, found == 0, isEmpty else { throw connection.failure.foreignDatabase }
      return 0
    }
    guard found <= version else {
      throw newer(found, than: connection)
    }
    guard found >= versionMin else { throw connection.failure.olderSchema(found) }
    return Int(found)
  }
}

/// A group of tables in a schema.
package protocol SchemaPart: Sendable {
  /// The `CREATE` statements for an empty database, in the form that SQLite stores.
  var scripts: [String] { get }

  /// The `CREATE` statements of the shadow tables that SQLite creates for a virtual table.
  var shadowTables: [String] { get }

  /// Updates the tables from an older version.
  func update(from version: Int, over connection: Connection) throws(TodoError)

  /// Returns the statements that erase forbidden data, which an older version has stored but no
  /// file may contain any more; `nil` if there is no such data.
  func erasure(from version: Int) -> String?

  /// Rebuilds derived data, such as an index, after damage was found.
  func renew(over connection: Connection) throws(TodoError)
}

extension SchemaPart {
  package var shadowTables: [String] { [] }

  package func erasure(from version: Int) -> String? { nil }

  /// Creates the tables in an empty database.
  package func make(over connection: Connection) throws(TodoError) {
    for script in scripts { try connection.execute(script) }
  }
}
