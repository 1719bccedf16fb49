import JSONRPC
import System
import TestSupport
import Testing

/// Tests how text of clients is logged.
@Suite struct LogTests {
  private func logged(_ messages: [JSON]) throws -> String {
    let server = try ServerProcess(["--store", "memory", "--log-level", "debug"], framing: .lines)
    for message in messages { server.send(message) }
    server.closeInput()
    _ = server.waitForEnd()
    return String(decoding: server.readErrors(), as: UTF8.self)
  }

  private func notification(_ method: String) -> JSON {
    ["jsonrpc": "2.0", "method": .string(method)]
  }

  private let initialize: JSON = ["jsonrpc": "2.0", "id": 1, "method": "initialize"]

  @Test func controlCharactersAreEscaped() throws {
    let name =
      "a\u{1b}[2J\u{7}\u{7f}\u{85}\u{9b}\r\nerror: b\u{2028}\u{2029}\u{202e}\u{2066}\u{200f}é"
    let text = try logged([initialize, notification(name)])
    let escaped =
      #"a\u{1b}[2J\u{7}\u{7f}\u{85}\u{9b}\u{d}\u{a}error: b\u{2028}\u{2029}\u{202e}\u{2066}\u{200f}é"#
    #expect(text.contains(escaped))
    #expect(
      text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
  }

  @Test func longTextIsShortenedInTheMiddle() throws {
    let run = try CommandRun([String(repeating: "né", count: 30_000)])
    #expect(run.exitCode == 64)
    #expect(run.errors.utf8.count < 2_000)
    #expect(run.errors.hasPrefix("todo-server: unknown argument nénéné"))
    #expect(run.errors.hasSuffix("nénéné; see todo-server --help\n"))
    #expect(run.errors.contains(/… \(88\d\d\d bytes\) …/))
  }

  @Test func invalidArgumentIsReportedOnOneLine() throws {
    let run = try CommandRun(["no\u{1b}[31m\nsuch"])
    #expect(run.exitCode == 64)
    #expect(
      run.errors == #"todo-server: unknown argument no\u{1b}[31m\u{a}such; see todo-server --help"#
        + "\n")
  }
}
