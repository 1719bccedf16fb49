import JSONRPC
import System
import TestSupport
import Testing

/// Tests how the server detects the end of its parent, the process with the ID `processId`.
@Suite struct ParentTests {
  private func start() throws -> ServerProcess { try ServerProcess(["--store", "memory"]) }

  /// Kills a process, and waits until it is a zombie, without reaping it.
  private func makeZombie(_ process: ServerProcess) {
    process.signalEnd(SIGKILL)
    var info = siginfo_t()
    while waitid(P_PID, id_t(process.processID), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
  }

  private func watch(_ parent: ServerProcess, by server: ServerProcess) -> JSON? {
    server.request("initialize", .object(["processId": .integer(Int64(parent.processID))]))
  }

  @Test func serverEndsWhenItsParentIsAZombie() throws {
    let (parent, server) = (try start(), try start())
    #expect(watch(parent, by: server)?["result"] != nil)
    makeZombie(parent)
    #expect(server.waitForEnd() == 1)
  }

  @Test func zombieParentCountsAsEnded() throws {
    let (parent, server) = (try start(), try start())
    makeZombie(parent)
    #expect(watch(parent, by: server)?["result"] != nil)
    #expect(server.waitForEnd() == 1)
  }

  #if os(Linux)
    /// An idle server does not poll with a timer, because the system reports the end of the parent
    /// and of workers.
    @Test func idleServerHasNoPollingTimer() throws {
      let folder = TemporaryFolder()
      let parent = try start()
      let server = try ServerProcess(
        environment: ["XDG_DATA_HOME": folder.path, "TODO_SERVER_DEBUGGABLE": "1"])
      #expect(watch(parent, by: server)?["result"] != nil)
      // Its workers are running.
      #expect(server.request("login", ["name": "ann"])?["result"] != nil)
      let open = "/proc/\(server.processID)/fd"
      let links = FileTree.names(in: open).map { FileTree.destination(ofLink: "\(open)/\($0)") }
      #expect(links.contains("anon_inode:[pidfd]"))
      // A timer waits for the end of the day.
      #expect(links.count { $0 == "anon_inode:[timerfd]" } <= 1)
    }
  #endif

  /// On a system that does not report the end of a process, the server polls. A poll detects the
  /// end of a process even while the process is a zombie.
  @Test func pollingDetectsAZombie() throws {
    let parent = try start()
    let watched = try #require(WatchedProcess(parent.processID))
    #expect(!watched.hasEnded)
    makeZombie(parent)
    #expect(watched.hasEnded)
    _ = parent.waitForEnd()
    #expect(watched.hasEnded)
    #expect(WatchedProcess(parent.processID) == nil)
  }
}
