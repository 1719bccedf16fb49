import TestSupport
import Testing
import TodoReplay

/// Every transcript of the project, against the loop.
@Suite struct TranscriptTests {
  static let files = FileTree.files(
    below: ProjectFolder().path + "/Fixtures/transcripts", ending: ".txt")

  @Test func thereAreTranscripts() {
    #expect(Self.files.count >= 12)
  }

  @Test(arguments: files)
  func transcriptHolds(file: String) throws {
    #expect(try TranscriptFile(path: file).replay() == .same)
  }

  /// However the bytes are cut, what comes back is the same.
  @Test(arguments: files)
  func transcriptHoldsInPieces(file: String) throws {
    #expect(try TranscriptFile(path: file).replay(pieceBytes: 1) == .same)
  }
}
