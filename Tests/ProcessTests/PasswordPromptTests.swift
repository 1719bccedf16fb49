import System
import TestSupport
import Testing

/// Tests `todo-server passwd` at a terminal.
@Suite struct PasswordPromptTests {
  private let folder = TemporaryFolder()
  private var environment: [String: String] { ["XDG_DATA_HOME": folder.path] }

  /// A Python script that runs the program at its own terminal, performs a step at each prompt (a
  /// key, a line or `signal N`), and prints the exit code and whether the terminal echoes. If the
  /// first argument is `ignoring`, the program starts with SIGINT and SIGQUIT ignored, as in a
  /// background job of a shell.
  private static let terminal = """
    import fcntl, os, pty, signal, sys, termios
    signal.alarm(300)
    start, steps, program = sys.argv[1], sys.argv[2].split(","), sys.argv[3:]
    master, slave = pty.openpty()
    def shows(): return bool(termios.tcgetattr(slave)[3] & termios.ECHO)
    child = os.fork()
    if child == 0:
        action = signal.SIG_IGN if start == "ignoring" else signal.SIG_DFL
        for number in signal.SIGINT, signal.SIGQUIT: signal.signal(number, action)
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for number in range(3): os.dup2(slave, number)
        os.execv(program[0], program)
    seen = b""
    for step in steps:
        while not seen.endswith(b"password: ") and not seen.endswith(b"again: "):
            seen += os.read(master, 1024)
        assert not shows(), "shown at " + seen.decode()
        seen = b""
        if step.startswith("signal "): os.kill(child, int(step.split()[1]))
        else: os.write(master, step.encode().decode("unicode_escape").encode())
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), "shows" if shows() else "silent")
    """

  private func makeAccount() throws {
    let server = try ServerProcess(environment: environment)
    _ = server.initialize()
    let answer = server.request(
      "register", ["username": "ann.lee@home", "password": "old-passw0rd"])
    #expect(answer?["result"] != nil)
    server.closeInput()
    _ = server.waitForEnd()
  }

  private func atTerminal(_ steps: [String], start: String = "normal") throws -> String {
    let words = [
      "python3", "-c", Self.terminal, start, steps.joined(separator: ","), ServerProcess.program,
      "passwd", "ann.lee@home",
    ]
    let process = try ServerProcess(words, environment: environment, program: "/usr/bin/env")
    process.closeInput()
    #expect(process.waitForEnd() == 0)
    let errors = String(decoding: process.readErrors(), as: UTF8.self)
    #expect(errors.isEmpty)
    return String(decoding: process.stdout, as: UTF8.self)
  }

  @Test(arguments: [[], ["old-passw0rd\\n"], ["old-passw0rd\\n", "new-passw0rd\\n"]])
  func controlCEndsTheCommandAtEveryPrompt(lines: [String]) throws {
    try makeAccount()
    #expect(try atTerminal(lines + ["\\x03"]) == "-\(SIGINT) shows\n")
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGINT])
  func signalRestoresTheTerminal(number: Int32) throws {
    try makeAccount()
    #expect(try atTerminal(["signal \(number)"]) == "-\(number) shows\n")
  }

  @Test func signalEndsTheCommandAlsoIfOtherSignalsAreIgnored() throws {
    try makeAccount()
    #expect(try atTerminal(["signal \(SIGTERM)"], start: "ignoring") == "-\(SIGTERM) shows\n")
  }

  @Test func passwordIsChangedAtATerminal() throws {
    try makeAccount()
    let steps = ["old-passw0rd\\n", "new-passw0rd\\n", "new-passw0rd\\n"]
    #expect(try atTerminal(steps) == "0 shows\n")
    #expect(try atTerminal(steps) == "1 shows\n")
  }

  @Test func endOfInputEndsTheCommand() throws {
    try makeAccount()
    #expect(try atTerminal(["\\x04"]) == "1 shows\n")
  }
}
