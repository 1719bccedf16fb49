import System
import TestSupport
import Testing

@testable import TodoMirrorFile

/// Tests when the text that an editor saves counts as complete. The test sets the time.
@Suite struct WatchedFileTests {
  private let folder = TemporaryFolder()
  private let start = ContinuousClock.now

  private var path: String { folder.path("todos.md") }

  private func after(_ milliseconds: Int) -> ContinuousClock.Instant {
    start + .milliseconds(milliseconds)
  }

  private func write(_ text: String) throws {
    let file = try #require(fopen(path, "wb"))
    fputs(text, file)
    fclose(file)
  }

  private func watched(_ text: String) throws -> WatchedFile {
    try write(text)
    return WatchedFile(try #require(OpenFile(path: path)), at: start)
  }

  /// Returns the result of one poll as text. A text counts as complete if it ends with "end".
  private func poll(_ watched: inout WatchedFile, at milliseconds: Int) -> String {
    let result = watched.poll(at: after(milliseconds)) { $0.suffix(3) == Array("end".utf8)[...] }
    return switch result {
    case .unchanged: "unchanged"
    case .growing: "growing"
    case .text(let bytes, let completeness):
      "\(completeness): \(String(decoding: bytes, as: UTF8.self))"
    case .unreadable(let code): "unreadable: \(code)"
    }
  }

  @Test func textWithAnEndMarkerIsCompleteAfterTenMilliseconds() throws {
    var watched = try watched("a end")
    #expect(poll(&watched, at: 0) == "growing")
    #expect(poll(&watched, at: 9) == "growing")
    #expect(poll(&watched, at: 10) == "whole: a end")
  }

  @Test func textThatChangesWaitsAgain() throws {
    var watched = try watched("a end")
    #expect(poll(&watched, at: 0) == "growing")
    try write("ab end")
    #expect(poll(&watched, at: 10) == "growing")
    #expect(poll(&watched, at: 20) == "whole: ab end")
  }

  @Test func textLackingTheEndMarkerIsReadAfterTwoSeconds() throws {
    var watched = try watched("a")
    #expect(poll(&watched, at: 0) == "growing")
    #expect(poll(&watched, at: 1_999) == "growing")
    #expect(poll(&watched, at: 2_000) == "left: a")
  }

  @Test func appliedTextIsUnchangedUntilItIsReplaced() throws {
    var watched = try watched("a end")
    watched.process(Array("a end".utf8), .whole)
    #expect(poll(&watched, at: 0) == "unchanged")
    #expect(watched.readFinalContents() == nil)
    try write("ab end")
    #expect(poll(&watched, at: 1) == "growing")
    #expect(poll(&watched, at: 11) == "whole: ab end")
    #expect(watched.readFinalContents() == Array("ab end".utf8))
  }

  /// The end of the text may be that of the previous text, which an editor is overwriting.
  @Test func replacementOfTheSameLengthIsMixed() throws {
    var watched = try watched("a end")
    watched.process(Array("a end".utf8), .whole)
    try write("b end")
    #expect(poll(&watched, at: 0) == "growing")
    #expect(poll(&watched, at: 10) == "mixed: b end")
  }

  @Test func fileIsIdleTenSecondsAfterItsLastChange() throws {
    var watched = try watched("a end")
    _ = poll(&watched, at: 500)
    #expect(!watched.isIdle(at: after(10_499)))
    #expect(watched.isIdle(at: after(10_500)))
  }
}
