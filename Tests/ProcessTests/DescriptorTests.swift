import JSONRPC
import System
import TestSupport
import Testing

/// Tests standard descriptors that are closed or shared with other processes.
@Suite struct DescriptorTests {
  private static let words = "\"$0\" --store memory"

  /// Runs a shell command, in which `$0` is the program.
  private func shell(
    _ words: String, framing: Framing = .headers, environment: [String: String] = [:]
  ) throws -> ServerProcess {
    try ServerProcess(
      ["-c", words, ServerProcess.program], environment: environment, framing: framing,
      program: "/bin/sh")
  }

  private func lines(of text: [UInt8]) -> [String] {
    String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func closedStdinCountsAsEnded() throws {
    let server = try shell("exec \(Self.words) <&-")
    #expect(server.waitForEnd() == 1)
    #expect(
      lines(of: server.readErrors()) == [
        "todo-server: stdin was closed at the start, so it counts as ended"
      ])
  }

  @Test(arguments: ["serve", "doctor", "export", "passwd ann", "--version", "replay x.txt"])
  func closedStdoutIsReported(command: String) throws {
    let server = try shell("exec \(Self.words) \(command) >&-")
    #expect(server.waitForEnd() == 1)
    #expect(
      lines(of: server.readErrors()) == [
        "todo-server: stdout was closed at the start, so no response can be sent"
      ])
  }

  @Test func closedDescriptorsAreReportedInOneLine() throws {
    let server = try shell("exec \(Self.words) <&- >&-")
    #expect(server.waitForEnd() == 1)
    #expect(
      lines(of: server.readErrors()) == [
        "todo-server: stdin and stdout were closed at the start, so no response can be sent"
      ])
  }

  /// A closed stderr is replaced. Otherwise, another file would get the free descriptor, and the
  /// log would be written to that file.
  @Test func closedStderrIsReplacedByDevNull() throws {
    let folder = TemporaryFolder()
    let server = try shell(
      "exec \"$0\" 2>&-",
      environment: [
        "XDG_DATA_HOME": folder.path, "TODO_SERVER_DEBUGGABLE": "1",
      ])
    #expect(server.initialize()?["result"] != nil)
    #expect(FileTree.destination(ofLink: "/proc/\(server.processID)/fd/2") == "/dev/null")
  }

  @Test func sharedPipeKeepsItsFlags() throws {
    // The shell keeps its own copy of stdout meanwhile.
    let server = try shell("\(Self.words); sed -n 's/^flags:[^0-9]*//p' /proc/self/fdinfo/1 >&2")
    _ = server.initialize()
    let shared = "/proc/\(server.processID)/fdinfo/1"
    #expect(FileTree.text(of: shared)?.contains("flags:\t01\n") == true)
    server.closeInput()
    #expect(server.waitForEnd() == 0)
    #expect(lines(of: server.readErrors()) == ["01"])
  }

  /// The event that ends a server.
  enum End: CaseIterable {
    case inputEnded, terminated, hungUp
  }

  /// A socket cannot be reopened, so the nonblocking flag is set for all processes that share the
  /// socket. The program restores the flag at its end.
  @Test(arguments: End.allCases)
  func sharedSocketGetsItsFlagsBack(end: End) throws {
    guard var input = Pipe() else { throw NoPipe() }
    var sockets: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &sockets) == 0)
    defer { for socket in sockets { close(socket) } }
    let processID = try #require(
      ServerProcess.spawn(
        [ServerProcess.program, "--store", "memory"], [:],
        [input.reader, sockets[1], STDERR_FILENO]))
    var request: [UInt8] = []
    FrameWriter(framing: .headers).append(to: &request) {
      $0.value(["jsonrpc": "2.0", "id": 1, "method": "initialize"])
    }
    writeAll(request, to: input.writer)
    // After a response, the flags are set and the signal handlers installed.
    var bytes = [UInt8](repeating: 0, count: 4_096)
    #expect(readSome(&bytes, from: sockets[0]) > 0)
    #expect(fcntl(sockets[1], F_GETFL) & O_NONBLOCK != 0)
    switch end {
    case .inputEnded: input.closeWriter()
    case .terminated: kill(processID, SIGTERM)
    case .hungUp: kill(processID, SIGHUP)
    }
    _ = ServerProcess.waitForEnd(of: processID)
    #expect(fcntl(sockets[1], F_GETFL) & O_NONBLOCK == 0)
  }

  /// Another process that shares the pipe may have made the pipe nonblocking, so that a write fails
  /// as soon as the pipe is full.
  @Test func exportThroughANonblockingPipeIsComplete() throws {
    let folder = TemporaryFolder()
    let environment = ["XDG_DATA_HOME": folder.path]
    let todo = "{\"title\":\"\(String(repeating: "a", count: 500))\"}\n"
    let input =
      "{\"format\":\"todo-server\",\"version\":1}\n" + String(repeating: todo, count: 500)
    let imported = try CommandRun(
      ["import", "--name", "ann"], input: Array(input.utf8), environment: environment)
    #expect(imported.exitCode == 0, "\(imported.errors)")
    guard var output = Pipe() else { throw NoPipe() }
    _ = fcntl(output.writer, F_SETFL, O_NONBLOCK)
    // `F_SETPIPE_SZ` of Linux: the smallest possible pipe.
    _ = fcntl(output.writer, 1_031, 4_096)
    let processID = try #require(
      ServerProcess.spawn(
        [ServerProcess.program, "export"], environment,
        [STDIN_FILENO, output.writer, STDERR_FILENO]))
    output.closeWriter()
    var bytes = [UInt8](repeating: 0, count: 4_096)
    var lineCount = 0
    while case let count = readSome(&bytes, from: output.reader), count > 0 {
      lineCount += bytes[..<count].count { $0 == UInt8(ascii: "\n") }
    }
    #expect(lineCount == 503)
    #expect(ServerProcess.waitForEnd(of: processID) == 0)
  }

  private struct NoPipe: Error {}
}
