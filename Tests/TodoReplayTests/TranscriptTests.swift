import TestSupport
import Testing
import TodoReplay

/// Every transcript of the project, against the loop.
@Suite struct TranscriptTests {
  static let files = FileTree.files(
    below: ProjectFolder().path + "/Fixtures/transcripts", ending: ".txt")

  @Test func atLeastTwelveTranscriptsAreFound() {
    #expect(Self.files.count >= 12)
  }

  /// However the bytes are cut, what comes back is the same. `.ci/run` also replays the files with
  /// the program, which receives whole messages.
  @Test(arguments: files)
  func transcriptMatchesWithOneByteAtATime(file: String) throws {
    #expect(try TranscriptFile(path: file).replay(pieceBytes: 1) == .same)
  }
}
