import System
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase

/// Tests that an older program leaves a newer file unchanged, together with its `-wal` and `-shm`
/// files.
@Suite struct NewerSchemaTests {
  private let folder = TemporaryFolder()

  private var path: String { folder.path("todos.sqlite") }

  /// The place of the schema version 99: in the file of a program that has ended, in the file of a
  /// killed program, or only in the log of a killed program.
  enum Place: CaseIterable { case file, fileOfAKilledProgram, logOfAKilledProgram }

  /// Creates the files of a program whose schema version is 99.
  private func makeNewer(_ place: Place) throws {
    let writing = TemporaryFolder()
    let newer = writing.path("todos.sqlite")
    let database = try Database(ofNotesAt: newer)
    try database.add("first")
    try database.withWriter { connection throws(TodoError) in
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA user_version = 99")
      if place != .logOfAKilledProgram {
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      }
    }
    if place == .fileOfAKilledProgram { try database.add("second") }
    let suffixes = place == .file ? [""] : ["", "-wal", "-shm"]
    // The files are copied while the database is open, so that its log exists.
    for suffix in suffixes {
      let bytes = try #require(RecordedResponse.bytes(of: newer + suffix))
      #expect(!bytes.isEmpty)
      let file = try #require(fopen(path + suffix, "wb"))
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
      chmod(path + suffix, 0o600)
    }
  }

  private func files() -> [String: [UInt8]] {
    let names = FileTree.names(in: folder.path)
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, RecordedResponse.bytes(of: folder.path($0)) ?? []) })
  }

  private func refusal() throws -> String {
    let error = #expect(throws: TodoError.self) { try Database(ofNotesAt: path) }
    #expect(error?.kind == .storage)
    return error?.message ?? ""
  }

  @Test(arguments: Place.allCases)
  func newerFileKeepsItsBytes(place: Place) throws {
    try makeNewer(place)
    let before = files()
    #expect(before.count == (place == .file ? 1 : 3))
    let message = try refusal()
    #expect(message.contains("newer version of todo-server (schema 99, this one knows 5)"))
    #expect(message.contains("Update todo-server"))
    #expect(files() == before)
  }

  @Test func messageNamesTheNewestCopyThatTheProgramCanOpen() throws {
    try makeNewer(.file)
    #expect(try !refusal().contains("before the update"))
    for version in [3, 4, 6] { fclose(fopen("\(path).schema-\(version)", "wb")) }
    #expect(try refusal().contains("--store sqlite:\(path).schema-4 opens them."))
    fclose(fopen("\(path).schema-5", "wb"))
    #expect(try refusal().contains("are in \(path).schema-5: "))
  }
}
