import JSONRPC
import System
import TestSupport
import Testing

/// The process of `processId`, and how its end is noticed.
@Suite struct ParentTests {
  private func start() throws -> ServerProcess { try ServerProcess(["--store", "memory"]) }

  /// Kills a process, and waits for its end without letting go of it: a zombie.
  private func makeZombie(_ process: ServerProcess) {
    process.signalEnd(SIGKILL)
    var info = siginfo_t()
    while waitid(P_PID, id_t(process.processID), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
  }

  private func watch(_ parent: ServerProcess, by server: ServerProcess) -> JSON? {
    server.request("initialize", .object(["processId": .integer(Int64(parent.processID))]))
  }

  @Test func itEndsWithAParentThatNobodyWaitedFor() throws {
    let (parent, server) = (try start(), try start())
    #expect(watch(parent, by: server)?["result"] != nil)
    makeZombie(parent)
    #expect(server.waitForEnd() == 1)
  }

  @Test func aZombieHasEndedBeforeItIsWatched() throws {
    let (parent, server) = (try start(), try start())
    makeZombie(parent)
    #expect(watch(parent, by: server)?["result"] != nil)
    #expect(server.waitForEnd() == 1)
  }

  #if os(Linux)
    /// The end of the parent and of workers is told by the system; no timer looks for them.
    @Test func nothingWakesAnIdleServer() throws {
      let folder = TemporaryFolder()
      let parent = try start()
      let server = try ServerProcess(
        environment: ["XDG_DATA_HOME": folder.path, "TODO_SERVER_DEBUGGABLE": "1"])
      #expect(watch(parent, by: server)?["result"] != nil)
      // Its workers run.
      #expect(server.request("login", ["name": "ann"])?["result"] != nil)
      let open = "/proc/\(server.processID)/fd"
      let links = FileTree.names(in: open).map { FileTree.destination(ofLink: "\(open)/\($0)") }
      #expect(links.contains("anon_inode:[pidfd]"))
      // One waits for the end of the day.
      #expect(links.count { $0 == "anon_inode:[timerfd]" } <= 1)
    }
  #endif

  /// As where the system tells of nothing.
  @Test func aLookTellsAZombieFromTheLiving() throws {
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
