import JSONRPC
import System
import TestSupport
import Testing

/// Tests `--credentials keyring`, with a fake `secret-tool` on the `PATH`.
@Suite struct KeyringTests {
  private let folder = TemporaryFolder()
  private static let token = "tok3n-of-the-service"

  /// Installs a shell script as `secret-tool`.
  private func install(_ script: String) {
    mkdir(folder.path("bin"), 0o700)
    let path = folder.path("bin/secret-tool")
    let file = fopen(path, "wb")
    fputs("#!/bin/sh\n\(script)\n", file)
    fclose(file)
    chmod(path, 0o700)
  }

  /// Registers at a service whose response has the token for the keyring.
  ///
  /// - Returns: The response of the server, and its whole output on stdout and stderr.
  private func register(_ path: String) throws -> (answer: JSON?, seen: [UInt8]) {
    let service = LoopbackServer { _ in .json(#"{"token":"\#(Self.token)"}"#) }
    let server = try ServerProcess(
      ["--credentials", "keyring", "--register-url", service.url, "--log-level", "debug"],
      environment: ["XDG_DATA_HOME": folder.path, "PATH": path])
    _ = server.initialize()
    let answer = server.request(
      "register", ["username": "ann.lee@home", "password": "correct-h0rse"])
    server.closeInput()
    _ = server.waitForEnd()
    return (answer, server.stdout + server.readErrors())
  }

  private var pathWithTool: String { "\(folder.path("bin")):/usr/bin:/bin" }

  @Test func tokenIsPassedThroughAPipe() throws {
    install("echo \"$@\" > '\(folder.path)/words'; cat > '\(folder.path)/input'")
    let (answer, seen) = try register(pathWithTool)
    #expect(answer?["result"]?["username"]?.stringValue == "ann.lee@home")
    #expect(FileTree.text(of: folder.path("input")) == Self.token)
    #expect(
      FileTree.text(of: folder.path("words"))
        == "store --label=todo-server: ann.lee@home service todo-server account name:ann.lee@home\n"
    )
    #expect(!String(decoding: seen, as: UTF8.self).contains(Self.token))
    for file in FileTree.files(below: folder.path) where file != folder.path("input") {
      let text = String(decoding: RecordedResponse.bytes(of: file) ?? [], as: UTF8.self)
      #expect(!text.contains(Self.token), "\(file)")
    }
  }

  @Test func refusalOfTheKeyringIsReported() throws {
    // The keyring is queried before the account is created, and does not fail then.
    install("[ \"$1\" = lookup ] && exit 1; echo \"locked: $(cat)\" >&2; exit 1")
    let (answer, seen) = try register(pathWithTool)
    let error = try #require(answer?["error"])
    #expect(error["data"]?["kind"]?.stringValue == "storage")
    let message = try #require(error["message"]?.stringValue)
    #expect(message.hasPrefix("The keyring refused: locked: <secret>"), "\(message)")
    #expect(!String(decoding: seen, as: UTF8.self).contains(Self.token))
  }

  @Test func missingToolIsReported() throws {
    let (answer, _) = try register(folder.path("bin"))
    let message = answer?["error"]?["message"]?.stringValue
    #expect(message?.hasPrefix("secret-tool is missing") == true, "\(message ?? "")")
    #expect(message?.contains("--credentials file") == true)
  }

  @Test func doctorReportsWhetherTheToolExists() throws {
    var environment = ["XDG_DATA_HOME": folder.path, "PATH": folder.path("bin")]
    environment["TODO_SERVER_CREDENTIALS"] = "keyring"
    let missing = try CommandRun(["doctor"], environment: environment)
    #expect(missing.exitCode == 1)
    #expect(missing.lines.last?.hasPrefix("problem: credentials: secret-tool is missing") == true)
    install("exit 1")
    let there = try CommandRun(["doctor"], environment: environment)
    #expect(there.exitCode == 0, "\(there.output)")
    let wrong = try CommandRun(["--credentials", "cloud"], environment: environment)
    #expect(wrong.errors.contains("expected file or keyring"))
    #expect(wrong.exitCode == 64)
  }
}
