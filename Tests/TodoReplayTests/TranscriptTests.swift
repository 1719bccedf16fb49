import TestSupport
import Testing
import TodoReplay

/// Replays every transcript of the project with the loop of the server, without a server process.
@Suite struct TranscriptTests {
  static let files = FileTree.files(
    below: ProjectFolder().path + "/Fixtures/transcripts", ending: ".txt")

  @Test func atLeastTwelveTranscriptsAreFound() {
    #expect(Self.files.count >= 12)
  }

  /// The output must not depend on how the input is divided. `.ci/run` also replays the files with
  /// the program, which receives whole messages.
  @Test(arguments: files)
  func transcriptMatchesWithOneByteAtATime(file: String) throws {
    #expect(try TranscriptFile(path: file).replay(pieceBytes: 1) == .same)
  }
}
