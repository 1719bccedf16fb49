import JSONRPC
import SQLiteDatabase
import TodoModel

/// Import of exported data.
extension SQLiteStore {
  package func importLines(
    profile: String?, from read: @escaping () throws(TodoError) -> [UInt8]
  ) throws(TodoError) -> ImportReport {
    try importLines(LineReader(read: read), profile: profile)
  }

  /// Imports all data of an export, or, after an error, nothing. Ids, versions, times and order are
  /// kept.
  ///
  /// A todo that is already in the store and equal is skipped; a different todo with the same id is
  /// an error. An import cannot be undone.
  ///
  /// - Parameter profile: The profile that gets all lists; `nil` keeps the profile of each list.
  /// - Throws: `validation` with a message that starts with the number of the invalid line;
  ///   `storage`.
  package func importLines(
    _ lines: consuming LineReader, profile: String?
  ) throws(TodoError) -> ImportReport {
    if let profile, let problem = ProfileRules.nameProblem(profile) {
      throw .validation([FieldProblem(field: "name", message: problem)])
    }
    var lines = lines
    return try database.withWriter { connection throws(TodoError) in
      // A change of this size does not fit into SQLite's default page cache.
      try connection.execute("PRAGMA cache_size = \(-Self.importCacheKilobytes)")
      defer { try? connection.execute("PRAGMA cache_size = \(-Self.cacheKilobytes)") }
      return try connection.change { () throws(TodoError) in
        var target = try ImportTarget(
          profile: profile, environment: environment, over: connection)
        do throws(TodoError) {
          while let members = try lines.next(Self.members) {
            if let members { try target.add(members) }
            target.lineNumber = lines.number + 1
          }
          try target.finish()
        } catch {
          guard error.kind == .validation else { throw error }
          throw .validation([
            FieldProblem(
              field: "line \(target.lineNumber)",
              message: "line \(target.lineNumber): \(error.message) Nothing was imported.")
          ])
        }
        if target.report.addedCount >= Self.optimizedCountMin {
          try TodoSchema.optimizeSearchIndex(of: connection)
        }
        return target.report
      }
    }
  }

  private static var optimizedCountMin: Int { 1_000 }
  private static var importCacheKilobytes: Int { 32_768 }
  /// SQLite's default page cache, in KiB; restored after an import.
  private static var cacheKilobytes: Int { 2_000 }

  /// Parses a line; returns `nil` for an empty line.
  private static func members(_ line: UnsafeRawBufferPointer) throws(TodoError) -> JSONObject? {
    guard line.contains(where: { $0 > 0x20 }) else { return nil }
    do {
      guard let members = try JSON(parsing: line).objectValue else {
        throw TodoError.wrongLine("Not a JSON object.")
      }
      return members
    } catch let error as JSONError {
      throw .wrongLine("Invalid JSON: \(error).")
    } catch {
      throw .wrongLine("Not a JSON object.")
    }
  }
}
