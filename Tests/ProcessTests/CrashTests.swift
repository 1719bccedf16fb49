import JSONRPC
import System
import TestSupport
import Testing
import TodoModel

/// Tests that a crash writes a report of one line to stderr. The source file and line of the crash
/// can be found from the report. Apart from the report, the process must end as it would without
/// the signal handlers.
@Suite struct CrashTests {
  enum Adapter: String, CaseIterable {
    case serve, lsp, mirror, mcp

    func arguments(in folder: String) -> [String] {
      switch self {
      case .serve: ["serve"]
      case .lsp, .mcp: [rawValue, "--name", "ann"]
      case .mirror: ["mirror", "\(folder)/todos.md", "--name", "ann"]
      }
    }
  }

  private let folder = TemporaryFolder()

  /// Starts an adapter, and waits until it serves.
  private func start(_ adapter: Adapter) throws -> ServerProcess {
    let server = try ServerProcess(
      adapter.arguments(in: folder.path),
      environment: ["XDG_DATA_HOME": folder.path, "HOME": folder.path],
      framing: adapter == .mcp ? .lines : .headers)
    if adapter == .mirror {
      let file = "\(folder.path)/todos.md"
      for _ in 0..<6_000 where FileTree.text(of: file)?.contains("<!-- end -->") != true {
        usleep(10_000)
      }
      try #require(FileTree.text(of: file)?.contains("<!-- end -->") == true)
    } else if adapter == .serve {
      try #require(server.initialize()?["result"] != nil)
    } else {
      let answer = server.request(
        "initialize",
        [
          "processId": .null, "protocolVersion": "2025-06-18", "capabilities": .object([:]),
          "clientInfo": ["name": "test", "version": "1"],
        ])
      try #require(answer?["result"] != nil)
    }
    return server
  }

  private func lines(of process: ServerProcess) -> [String] {
    String(decoding: process.readErrors(), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The tested pairs of an adapter and a signal. The handlers are installed before the command
  /// line is parsed, so it is enough to test one adapter with every signal, and each other adapter
  /// with one signal.
  private static let crashes: [(Adapter, Int32)] =
    CrashReport.signals.map { (.serve, $0) }
    + zip(Adapter.allCases.filter { $0 != .serve }, CrashReport.signals.reversed())

  @Test(arguments: crashes)
  func adapterReportsSignal(adapter: Adapter, number: Int32) throws {
    let server = try start(adapter)
    server.signalEnd(number)
    #expect(server.waitForEnd() == -number)
    let lines = lines(of: server)
    let line = try #require(lines.last)
    #expect(line.hasPrefix("todo-server crashed: SIG"), "\(lines)")
    #expect(line.contains(", sent by a process. Send this line, which has none of your text, to "))
    #expect(line.contains(": version \(Product.version), build "))
    // Front-ends show at most this part of the last line.
    #expect(line.utf8.count < 1_000)
    #expect(lines.filter { $0.contains(" crashed: ") }.count == 1)
  }

  /// The report of a real crash leads to the source file and line of the crash. The process is
  /// `CrashExample`, which has the same signal handlers as the program.
  @Test(arguments: [
    ("segv", SIGSEGV, "SIGSEGV, invalid memory access", "readInvalidAddress()"),
    ("abort", SIGABRT, "SIGABRT, aborted", "callAbort()"),
    ("stack", SIGSEGV, "SIGSEGV, stack exhausted", "exhaustStack(depth:)"),
    ("thread-stack", SIGSEGV, "SIGSEGV, stack exhausted", "exhaustStack(depth:)"),
    ("thread-segv", SIGSEGV, "SIGSEGV, invalid memory access", "readInvalidAddress()"),
  ])
  func crashLineLeadsToFileAndLine(
    kind: String, number: Int32, reason: String, function: String
  ) throws {
    let lines = try crash(kind, expecting: number)
    try expect(lines, reason: reason, function: function)
  }

  /// The instruction of a Swift trap, and so its signal, depends on the processor.
  @Test func swiftTrapLeadsToFileAndLine() throws {
    #if arch(x86_64)
      try expect(
        crash("trap", expecting: SIGILL), reason: "SIGILL, failed check", function: "failCheck()")
    #else
      try expect(
        crash("trap", expecting: SIGTRAP), reason: "SIGTRAP, failed check", function: "failCheck()")
    #endif
  }

  /// After a jump to an invalid address, no stack can be unwound, but the line still has the
  /// signal.
  @Test func jumpToInvalidAddressIsReported() throws {
    let lines = try crash("jump", expecting: SIGSEGV)
    #expect(lines.last?.hasPrefix("crash-example crashed: SIGSEGV, invalid memory access") == true)
  }

  @Test func unreadStderrDoesNotKeepTheProgramAlive() throws {
    let process = try ServerProcess(
      ["-c", "yes >&2 & sleep 0.1; kill $!; exec \"$0\" segv", Self.example],
      program: "/bin/sh")
    #expect(process.waitForEnd() == -SIGSEGV)
  }

  // MARK: The example

  private static var example: String {
    ServerProcess.program.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
      + "/CrashExample"
  }

  /// Makes the example crash, and returns the lines on its stderr.
  private func crash(_ kind: String, expecting number: Int32) throws -> [String] {
    let process = try ServerProcess([kind], program: Self.example)
    #expect(process.waitForEnd() == -number)
    return lines(of: process)
  }

  private func expect(_ lines: [String], reason: String, function: String) throws {
    let line = try #require(lines.last)
    #expect(line.hasPrefix("crash-example crashed: \(reason). Send this line, "), "\(lines)")
    let process = try ServerProcess(
      [line, Self.example],
      program: ProjectFolder().path + "/.ci/crash-lines")
    #expect(process.waitForEnd() == 0)
    let frames = String(decoding: process.stdout, as: UTF8.self).split(separator: "\n")
    let frame = frames.first { $0.contains(function) }
    #expect(frame?.contains("Tests/CrashExample/main.swift:") == true, "\(frames)")
  }
}
