import System
import TestSupport
import Testing

@testable import TodoMirrorFile

/// Tests the paths of a mirror: the path of its file, and the paths of files that it leaves beside
/// its file.
@Suite struct MirrorPathsTests {
  private let folder = TemporaryFolder()

  private func write(_ name: String) throws { try write(at: folder.path(name)) }

  private func write(at path: String) throws {
    let file = try #require(fopen(path, "wb"))
    fclose(file)
  }

  @Test func linkedFolderLeadsToTheSameDocument() {
    mkdir(folder.path("notes"), 0o700)
    symlink("notes", folder.path("link"))
    let direct = MirrorPaths(folder.path("notes/todos.md"))
    let linked = MirrorPaths(folder.path("link/todos.md"))
    #expect(linked.userPath != direct.userPath)
    #expect(linked.key == direct.key)
  }

  @Test func linkedFileIsReplacedWhereTheLinkLeads() throws {
    mkdir(folder.path("notes"), 0o700)
    try write("notes/todos.md")
    symlink("notes/todos.md", folder.path("link.md"))
    let paths = MirrorPaths(folder.path("link.md"))
    #expect(paths.target == folder.path("notes/todos.md"))
    #expect(paths.folder == folder.path("notes"))
    #expect(paths.new == folder.path("notes/todos.md.new"))
  }

  @Test func onlyLeftoversOfThisFileAreFound() throws {
    let paths = MirrorPaths(folder.path("todos.md"))
    let replaced = paths.replacedFile(1)
    let unfinished = paths.replacedFile(2) + MirrorPaths.temporarySuffix
    for path in [replaced, unfinished] { try write(at: path) }
    for name in ["todos.md", "todos.md.new", ".other.md.todo-server-1-1"] { try write(name) }
    let left = try #require(paths.left)
    #expect(left.replacedFiles == [replaced])
    #expect(left.texts == [unfinished])
  }

  @Test func missingFolderHasNoLeftovers() {
    #expect(MirrorPaths(folder.path("missing/todos.md")).left == nil)
    #expect(!MirrorPaths.isFolderThere(of: folder.path("missing/todos.md")))
    #expect(MirrorPaths.isFolderThere(of: folder.path("todos.md")))
  }
}
