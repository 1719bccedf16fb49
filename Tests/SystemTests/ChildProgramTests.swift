import System
import TestSupport
import Testing

/// Tests running another program to its end. `/bin/sh` stands for this program.
@Suite struct ChildProgramTests {
  private func run(
    _ script: String, input: String = "", withinMilliseconds: Int32 = 300_000
  ) -> ChildProgram.Outcome {
    ChildProgram(words: ["/bin/sh", "-c", script])
      .run(input: Array(input.utf8), withinMilliseconds: withinMilliseconds)
  }

  @Test func programReadsInputAndWritesOutput() throws {
    guard
      case .ended(let status, let output, let errors) = run(
        "cat; echo oops >&2; exit 3", input: "secret")
    else {
      Issue.record("it did not end")
      return
    }
    #expect(status == 3 << 8)
    #expect(String(decoding: output, as: UTF8.self) == "secret")
    #expect(String(decoding: errors, as: UTF8.self) == "oops\n")
  }

  @Test func missingAndSlowProgramsAreReported() {
    guard
      case .missing = ChildProgram(words: ["/nowhere/secret-tool"])
        .run(input: [], withinMilliseconds: 1_000)
    else {
      Issue.record("it is not missing")
      return
    }
    guard case .tookTooLong = run("exec cat /dev/zero") else {
      Issue.record("it wrote and did not stop")
      return
    }
    guard case .tookTooLong = run("exec tail -f /dev/null", withinMilliseconds: 50) else {
      Issue.record("it ended")
      return
    }
    guard case .failed = run("true", input: String(repeating: "x", count: 5_000)) else {
      Issue.record("a pipe does not hold that")
      return
    }
  }

  /// A child process of the program may keep the pipes open. If only the program were ended, the
  /// child process would outlive it.
  @Test(.timeLimit(.minutes(30))) func timeoutEndsTheProgramAndItsChildren() throws {
    let folder = TemporaryFolder()
    let file = folder.path("child")
    let script = "sleep 600 & echo $! > '\(file).new'; mv '\(file).new' '\(file)'; wait"
    var found: [UInt8]?
    var milliseconds: Int32 = 100
    // On a busy machine the shell needs longer to start its child.
    while found == nil {
      guard case .tookTooLong = run(script, withinMilliseconds: milliseconds) else {
        Issue.record("it ended")
        return
      }
      found = RecordedResponse.bytes(of: file)
      milliseconds *= 2
    }
    let bytes = try #require(found)
    let child = try #require(pid_t(String(decoding: bytes.dropLast(), as: UTF8.self)))
    while WatchedProcess(child)?.hasEnded == false {}
  }
}
