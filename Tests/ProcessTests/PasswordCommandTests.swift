import JSONRPC
import TestSupport
import Testing

/// Tests `todo-server passwd` as a script runs it.
@Suite struct PasswordCommandTests {
  private let folder = TemporaryFolder()
  private static let old = "correct-h0rse"
  private static let new = "battery-st4ple"
  private var environment: [String: String] { ["XDG_DATA_HOME": folder.path] }

  private func register() throws {
    let server = try ServerProcess(environment: environment)
    _ = server.initialize()
    let answer = server.request(
      "register", ["username": "ann.lee@home", "password": .string(Self.old)])
    #expect(answer?["result"] != nil)
    server.closeInput()
    _ = server.waitForEnd()
  }

  private func change(_ input: String, _ arguments: [String]) throws -> CommandRun {
    try CommandRun(arguments, input: Array(input.utf8), environment: environment)
  }

  private func login(_ password: String) throws -> JSON? {
    let server = try ServerProcess(environment: environment)
    _ = server.initialize()
    return server.request("login", ["name": "ann.lee@home", "password": .string(password)])
  }

  @Test func passwordIsChanged() throws {
    try register()
    let lines = "\(Self.old)\n\(Self.new)\n"
    let run = try change(lines, ["passwd", "ann.lee@home"])
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.output == "The password was changed.\n")
    #expect(try login(Self.new)?["result"] != nil)
    #expect(try login(Self.old)?["error"]?["data"]?["kind"]?.stringValue == "invalidCredentials")
    let again = try change(lines, ["passwd", "ann.lee@home"])
    #expect(again.exitCode == 1)
    #expect(again.errors == "todo-server: The name or the password is wrong.\n")
    for file in FileTree.files(below: folder.path) {
      let text = String(decoding: RecordedResponse.bytes(of: file) ?? [], as: UTF8.self)
      for secret in [Self.old, Self.new] { #expect(!text.contains(secret), "\(file)") }
    }
    for secret in [Self.old, Self.new] {
      for text in [run.output, run.errors, again.errors] { #expect(!text.contains(secret)) }
    }
  }

  @Test func impossiblePasswordChangesAreReported() throws {
    let missing = try change("a\nb\n", ["passwd", "ann"])
    #expect(missing.errors.contains("There is no store at"))
    #expect(FileTree.names(in: folder.path).isEmpty)
    try register()
    let one = try change("\(Self.old)\n", ["passwd", "ann.lee@home"])
    #expect(one.errors.contains("two lines"))
    let short = try change("\(Self.old)\n1234567\n", ["passwd", "ann.lee@home"])
    #expect(short.errors.contains("at least 8 characters"))
    let unknown = try change("\(Self.old)\n\(Self.new)\n", ["passwd", "carl"])
    #expect(unknown.errors.contains("no account of that name"))
    for run in [missing, one, short, unknown] { #expect(run.exitCode == 1) }
    #expect(try change("", ["passwd"]).exitCode == 64)
    let service = ["passwd", "ann", "--register-url", "https://example.org"]
    #expect(try change("", service).errors.contains("account service"))
  }
}
