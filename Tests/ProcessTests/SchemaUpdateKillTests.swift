import CSQLite
import System
import TestSupport
import Testing

/// Tests that a store is intact whenever its update is killed or fails.
@Suite struct SchemaUpdateKillTests {
  private let folder = TemporaryFolder()

  private var store: String { folder.path("todos.sqlite") }

  /// Returns the first value of a query on the store, or on a file beside it.
  private func answer(_ sql: String, _ path: String) -> String? {
    var opened: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close_v2(opened)
    }
    guard sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
      sqlite3_prepare_v2(opened, sql, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW
    else { return nil }
    return sqlite3_column_text(statement, 0).map { String(cString: $0) }
  }

  private static let todos = """
    SELECT group_concat(name || title || text || is_done || todo.version) FROM todo
    JOIN note ON note.todo = todo.id
    """

  private func startFromFixture(_ version: Int) throws {
    for name in FileTree.names(in: folder.path) { unlink(folder.path(name)) }
    try #require(StoreFixture(version: version).copy(to: store))
  }

  /// Returns the lines of an export without their last members, the random markers of additions.
  private static func unmarked(_ run: CommandRun) -> [Substring] {
    run.lines.compactMap { $0.split(separator: #","exported":{"#).first }
  }

  /// The kills are spread over the time that a whole update takes, and a little longer. An update
  /// from version 4 has the steps of all later versions.
  @Test func updateCanBeKilledAtAnyTime() throws {
    let version = 4
    let todos = answer(Self.todos, StoreFixture(version: version).path)
    #expect(todos?.isEmpty == false)
    try startFromFixture(version)
    let begin = ContinuousClock.now
    let whole = try CommandRun(["export", "--store", "sqlite:\(store)"])
    let duration = ContinuousClock.now - begin
    #expect(whole.exitCode == 0, "\(whole.errors)")
    let rounds = 10
    var found: Set<String> = []
    for round in 0..<rounds {
      try startFromFixture(version)
      let process = try ServerProcess(["export", "--store", "sqlite:\(store)"])
      let pause = duration * round / (rounds - 2)
      usleep(UInt32(pause / .microseconds(1)))
      process.signalEnd(SIGKILL)
      _ = process.waitForEnd()
      // A reader sees either the old or the new version after the kill.
      let left = answer("PRAGMA user_version", store)
      found.insert(left ?? "none")
      #expect(left == "\(version)" || left == "\(StoreFixture.currentVersion)", "round \(round)")
      #expect(answer("PRAGMA integrity_check", store) == "ok")
      if left == "\(StoreFixture.currentVersion)" {
        let copy = store + ".schema-\(version)"
        #expect(answer("PRAGMA user_version", copy) == "\(version)", "round \(round)")
        #expect(answer("PRAGMA integrity_check", copy) == "ok")
        #expect(answer(Self.todos, copy) == todos)
      }
      let again = try CommandRun(["export", "--store", "sqlite:\(store)"])
      #expect(again.exitCode == 0, "round \(round): \(again.errors)")
      #expect(Self.unmarked(again) == Self.unmarked(whole), "round \(round)")
      #expect(answer(Self.todos, store) == todos)
      #expect(!FileTree.names(in: folder.path).contains { $0.hasSuffix(".new") })
    }
    #expect(!found.contains("none"))
  }

  /// A limit on the size of files (in blocks of 512 bytes) stops the copy of the old store in the
  /// middle.
  @Test func copyThatCannotBeWrittenStopsTheUpdate() throws {
    try startFromFixture(9)
    let before = RecordedResponse.bytes(of: store)
    let run = try ServerProcess(
      ["-c", "ulimit -f 100 && exec \"$0\" export --store sqlite:\(store)", ServerProcess.program],
      program: "/bin/sh")
    run.closeInput()
    #expect(run.waitForEnd() == 1)
    let errors = String(decoding: run.readErrors(), as: UTF8.self)
    #expect(errors.contains("(ulimit -f") && errors.contains(".schema-9"), "\(errors)")
    #expect(RecordedResponse.bytes(of: store) == before)
    #expect(FileTree.names(in: folder.path) == ["todos.sqlite"])
  }
}
