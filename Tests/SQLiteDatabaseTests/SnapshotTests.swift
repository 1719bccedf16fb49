import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase

/// Tests reads in another thread.
@Suite struct SnapshotTests {
  /// A cancellation interrupts even an endless statement.
  @Test func cancellationInterruptsARunningStatement() async throws {
    let folder = TemporaryFolder()
    let database = try Database(ofNotesAt: folder.path("todos.sqlite"))
    let snapshot = try #require(try database.beginSnapshot())
    let started = Counter(start: 0, step: 1)
    let reading = Task.detached { () -> TodoError? in
      do throws(TodoError) {
        _ = try snapshot.read { connection throws(TodoError) in
          _ = started.next()
          return try connection.number(
            """
            WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count)
            SELECT max(n) FROM count
            """)
        }
        return nil
      } catch {
        return error
      }
    }
    while started.current == 0 { await Task.yield() }
    snapshot.cancel()
    #expect(await reading.value?.kind == .storage)
  }
}
