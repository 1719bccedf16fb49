import System
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase

/// A damaged file is set aside as a whole, and never overwritten.
@Suite struct DamageTests {
  let folder = TemporaryFolder()

  private var path: String { folder.path("todos.sqlite") }

  private func open() throws -> Database { try Database(ofNotesAt: path) }

  private func bytes(_ name: String) -> [UInt8]? { RecordedResponse.bytes(of: folder.path(name)) }

  private func write(_ bytes: [UInt8], to name: String, at offset: Int = 0) {
    let file = fopen(folder.path(name), offset == 0 ? "wb" : "r+b")
    fseek(file, offset, SEEK_SET)
    fwrite(bytes, 1, bytes.count, file)
    if let file { fclose(file) }
  }

  /// Creates a database of `count` notes of 500 bytes, all in one file.
  private func fill(_ count: Int) throws {
    let database = try open()
    let note = String(repeating: "x", count: 500)
    try database.change { connection throws(TodoError) in
      for _ in 0..<count { try connection.add(note) }
    }
    try database.withWriter { connection throws(TodoError) in
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  private func names() -> [String] { FileTree.names(in: folder.path).sorted() }

  enum Damage: CaseIterable {
    case pages, truncated

    func damage(_ bytes: [UInt8]) -> [UInt8] {
      let noise = [UInt8](repeating: 0xA5, count: 65_536)
      return switch self {
      case .pages: Array(bytes[..<4_096] + noise + bytes[(4_096 + noise.count)...])
      case .truncated: Array(bytes[..<(bytes.count / 2)])
      }
    }
  }

  @Test(arguments: Damage.allCases)
  func damagedFileIsSetAsideAndANewOneIsCreated(_ damage: Damage) throws {
    try fill(200)
    let damaged = damage.damage(try #require(bytes("todos.sqlite")))
    write(damaged, to: "todos.sqlite")
    let database = try open()
    #expect(try database.notes == [])
    try database.add("new")
    let renamed = try #require(names().first { $0.hasPrefix("todos.sqlite.damaged-2023-11-") })
    #expect(bytes(renamed) == damaged)
    let notice = try #require(database.notice)
    #expect(notice.contains("was damaged"))
    #expect(notice.contains(folder.path(renamed)))
    // The next start finds an intact file and has no message.
    #expect(try open().notice == nil)
    #expect(try open().notes == ["new"])
  }

  /// A command leaves a damaged file unchanged. If it replaced the file, it would report an empty
  /// list.
  @Test(arguments: Damage.allCases)
  func commandLeavesDamagedFileUnchanged(_ damage: Damage) throws {
    try fill(200)
    let damaged = damage.damage(try #require(bytes("todos.sqlite")))
    write(damaged, to: "todos.sqlite")
    let error = #expect(throws: TodoError.self) {
      try Database(ofNotesAt: path, onDamage: .refuse)
    }
    #expect(error?.kind == .storage)
    #expect(error?.message.contains("is damaged. It was not changed") == true)
    #expect(bytes("todos.sqlite") == damaged)
    #expect(!names().contains { $0.contains(".damaged") })
  }

  @Test func aLogWithoutItsDatabaseIsSetAside() throws {
    write([1, 2, 3], to: "todos.sqlite-wal")
    #expect(try open().notice != nil)
    let renamed = try #require(names().first { $0.hasPrefix("todos.sqlite.damaged-") })
    #expect(renamed.hasSuffix("-wal"))
    #expect(bytes(renamed) == [1, 2, 3])
  }

  @Test func eachDamagedFileGetsItsOwnName() throws {
    for number in 0..<3 {
      try fill(200 + number)
      let sound = try #require(bytes("todos.sqlite"))
      write(Damage.pages.damage(sound), to: "todos.sqlite")
      _ = try open()
      for suffix in ["", "-wal", "-shm"] { remove(path + suffix) }
    }
    let renamed = names().filter { $0.hasPrefix("todos.sqlite.damaged-") }
    #expect(renamed.count == 3)
  }

  enum Foreign: CaseIterable {
    case letter, noise, header, short, oneByte, otherID, noID

    func bytes(of ours: [UInt8]) -> [UInt8] {
      switch self {
      case .letter: Array(String(repeating: "This is a letter. ", count: 100).utf8)
      case .noise: [UInt8](repeating: 0xA5, count: 4_096)
      case .header: [UInt8](repeating: 0xA5, count: 100) + ours[100...]
      case .short: Array(ours[..<50])
      case .oneByte: [UInt8(ascii: "p")]
      // The database of another program, with a damaged page.
      case .otherID: changed(ours, id: [1, 2, 3, 4])
      case .noID: changed(ours, id: [0, 0, 0, 0])
      }
    }

    private func changed(_ bytes: [UInt8], id: [UInt8]) -> [UInt8] {
      bytes[..<68] + id + bytes[72..<4_096] + [UInt8](repeating: 0xA5, count: 65_536)
        + bytes[69_632...]
    }
  }

  /// A file belongs to another program if the file does not have the header of our schema.
  @Test(arguments: Foreign.allCases)
  func fileOfAnotherProgramIsLeftUnchanged(_ foreign: Foreign) throws {
    try fill(200)
    let ours = try #require(self.bytes("todos.sqlite"))
    let bytes = foreign.bytes(of: ours)
    for suffix in ["", "-wal", "-shm"] { remove(path + suffix) }
    write(bytes, to: "todos.sqlite")
    let error = #expect(throws: TodoError.self) { try open() }
    #expect(error?.kind == .storage)
    #expect(self.bytes("todos.sqlite") == bytes)
    #expect(!names().contains { $0.contains(".damaged") })
  }

  /// A large file is not checked completely when it is opened. If damage is found later, the damage
  /// is recorded, and the next start sets the file aside.
  @Test func damageFoundLaterIsSetAsideAtTheNextStart() throws {
    try fill(10_000)
    let size = try #require(bytes("todos.sqlite")).count
    #expect(size > 4 << 20)
    let half = size / 8_192 * 4_096
    write([UInt8](repeating: 0xA5, count: size - half), to: "todos.sqlite", at: half)
    let error = #expect(throws: TodoError.self) {
      _ = try open().notes
    }
    #expect(error?.kind == .storage)
    #expect(error?.message.contains("is damaged. Start again") == true)
    let database = try open()
    #expect(database.notice != nil)
    #expect(try database.notes == [])
    #expect(!names().contains("todos.sqlite.damaged"))
  }

  /// While a small file is opened, its pages are checked, and check constraints are ignored. After
  /// the opening, the constraints hold.
  @Test func checkConstraintsHoldAfterOpening() throws {
    try fill(1)
    let database = try open()
    try database.change { connection throws(TodoError) in
      try connection.execute("CREATE TABLE word (text TEXT CHECK (text IN ('a', 'b')))")
    }
    #expect(throws: TodoError.self) {
      try database.change { connection throws(TodoError) in
        try connection.execute("INSERT INTO word VALUES ('c')")
      }
    }
  }

  /// An unreleased schema version is refused: the first released version is 4.
  @Test(arguments: 1...3)
  func unreleasedSchemaVersionIsRefused(_ version: Int) throws {
    try open().withWriter { connection throws(TodoError) in
      try connection.execute("PRAGMA user_version = \(version)")
    }
    let error = #expect(throws: TodoError.self) { try open() }
    #expect(error?.kind == .storage)
    #expect(error?.message.contains("never released (schema \(version))") == true)
    #expect(!names().contains { $0.contains(".schema-") })
  }
}
