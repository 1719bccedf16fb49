import System
import TestSupport

/// One run of a command of the program: its output on stdout and stderr, and its exit code.
struct CommandRun {
  let output: String
  let errors: String
  let exitCode: Int32

  /// The lines of the output.
  var lines: [String] { output.split(separator: "\n").map(String.init) }

  init(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
  ) throws {
    let process = try ServerProcess(arguments, environment: environment)
    process.send(input)
    process.closeInput()
    exitCode = process.waitForEnd()
    output = String(decoding: process.stdout, as: UTF8.self)
    errors = String(decoding: process.readErrors(), as: UTF8.self)
  }
}
