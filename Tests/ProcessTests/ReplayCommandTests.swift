import System
import TestSupport
import Testing

/// Tests `todo-server replay` of files and folders.
@Suite struct ReplayCommandTests {
  private let folder = TemporaryFolder()
  private static let holds = """
    Nothing is answered before initialize.

    --> {"method":"initialized"}

    """
  private static let differs = """
    Wrong, until it is updated.

    --> {"id":1,"method":"shutdown"}

    """

  private func write(_ text: String, _ names: String...) throws {
    for name in names {
      try #require(writeFile(text, folder.path(name)), "\(name) cannot be written")
    }
  }

  private func makeFolders(_ names: String...) throws {
    for name in names { try #require(mkdir(folder.path(name), 0o700) == 0) }
  }

  private func replay(_ arguments: String...) throws -> CommandRun {
    try CommandRun(["replay"] + arguments)
  }

  @Test func folderIsReplayedInOrder() throws {
    try makeFolders("b", "b/deep", "hidden", ".git")
    try write(Self.holds, "c.txt", "b/deep/z.txt", "b/a.txt", "a.txt")
    // Files that are not transcripts.
    try write("", "README.md", ".git/a.txt", "b/.a.txt")
    let run = try replay(folder.path + "/")
    let names = ["a.txt", "b/a.txt", "b/deep/z.txt", "c.txt"]
    #expect(run.lines == names.map { "ok       \(folder.path($0))" } + ["4 passed, 0 failed"])
    #expect(run.exitCode == 0)
  }

  @Test func replayWithoutAnExchangeFails() throws {
    try makeFolders("empty")
    try write("", "nothing.txt")
    try write("Only prose.\nstore: memory\n", "prose.txt")
    let cases = [
      ("empty", "has no transcript: no file below it ends in .txt"),
      ("nothing.txt", "is empty"),
      ("prose.txt", "has no exchange: no line begins with --> or ~~>"),
      ("absent.txt", "cannot be read: No such file or directory"),
    ]
    for (name, reason) in cases {
      for run in [try replay(folder.path(name)), try replay(folder.path(name), "--update")] {
        #expect(run.exitCode == 1)
        #expect(run.lines.first == "FAILED   \(folder.path(name)): \(reason)")
        #expect(run.lines.last?.hasPrefix("0 passed, 1 failed") == true)
      }
    }
  }

  @Test func unreadableTranscriptDoesNotHideTheOthers() throws {
    try write(Self.holds, "a.txt", "c.txt")
    try write(Self.differs, "b.txt")
    #expect(symlink("nowhere", folder.path("d.txt")) == 0)
    let run = try replay(folder.path)
    #expect(run.lines.filter { $0.hasPrefix("FAILED") }.count == 2)
    #expect(run.lines.last == "2 passed, 2 failed")
    #expect(run.exitCode == 1)
  }

  @Test func cyclicFolderLinkEnds() throws {
    try write(Self.holds, "a.txt")
    #expect(symlink(".", folder.path("loop")) == 0)
    let run = try replay(folder.path)
    #expect(run.exitCode == 1)
    #expect(run.errors.isEmpty)
    #expect(run.output.contains("more than 32 deep"))
  }

  /// The output shows the first difference, and not everything after it.
  @Test func firstDifferenceIsShownWithItsContext() throws {
    try write(
      """
      A name is enough.
      framing: lines
      renderings: pictures

      --> {"id":1,"method":"initialize"}
      <-- {"id":1,"result":"<any>"}
      --> {"id":2,"method":"login","params":{"name":"ann"}}
      <-- {"id":2,"result":{"name":"bob","revision":2}}
      --> {"id":3,"method":"getTodo","params":{"id":"x"}}
      <-- {"id":3,"result":{}}
      --> {"id":4,"method":"nope"}
      <-- {"id":4,"error":{"code":-32601,"message":"method not found: nope"}}

      """, "a.txt")
    let run = try replay(folder.path("a.txt"))
    #expect(run.exitCode == 1)
    let expected = [
      "FAILED   \(folder.path("a.txt"))", "  line 7",
      #"    --> {"id":1,"method":"initialize"}"#, #"    <-- {"id":1,"result":"<any>"}"#,
      #"    --> {"id":2,"method":"login","params":{"name":"ann"}}"#,
      #"  - <-- {"id":2,"result":{"name":"bob","revision":2}}"#,
      #"  + <-- {"id":2,"result":{"name":"ann","revision":3}}"#,
      #"    --> {"id":3,"method":"getTodo","params":{"id":"x"}}"#, #"    <-- {"id":3,"result":{}}"#,
      #"    --> {"id":4,"method":"nope"}"#,
      #"    <-- {"id":4,"error":{"code":-32601,"message":"method not found: nope"}}"#,
      "  1 more input is answered otherwise", "0 passed, 1 failed",
    ]
    #expect(run.lines == expected)
  }

  @Test func folderIsUpdated() throws {
    try makeFolders("deep")
    try write(Self.holds, "a.txt")
    try write(Self.differs, "deep/b.txt")
    let update = try replay(folder.path, "--update")
    #expect(update.lines.last == "1 passed, 0 failed, 1 updated")
    #expect(update.exitCode == 0)
    #expect(try replay(folder.path).lines.last == "2 passed, 0 failed")
  }
}
