import TestSupport
import Testing

@testable import System

/// Tests which folders and links a path leads through, and which owners of them are trusted.
@Suite struct PathTrustTests {
  private let folder = TemporaryFolder()

  @Test func pathWalkContainsEachFolderAndLink() {
    let root = folder.path
    for name in ["a", "a/b", "c"] { mkdir(folder.path(name), 0o700) }
    symlink("../../c/./next", folder.path("a/b/link"))
    symlink("\(root)/a", folder.path("c/next"))
    symlink("round", folder.path("round"))
    let way = PathWalk(to: "\(root)/a/b/link/../a//b/todos.sqlite")
    #expect(way.links == ["\(root)/a/b/link", "\(root)/c/next"])
    // A folder that is passed twice has its last position.
    #expect(way.folders == ["\(root)/c", "/", "/tmp", root, "\(root)/a", "\(root)/a/b"])
    #expect(PathWalk(to: "\(root)/round/x").links.count == 40)
    #expect(PathWalk(to: "todos.sqlite").folders.last == CanonicalPath.resolved("."))
    #expect(PathWalk(to: "/").folders.isEmpty && PathWalk(to: "/a").folders == ["/"])
  }

  /// Another user may remove a link during the check.
  @Test func eachLinkIsCheckedOnce() {
    symlink("elsewhere", folder.path("link"))
    let link = folder.path("link")
    var status = stat()
    (status.st_mode, status.st_uid) = (S_IFLNK | 0o777, 65_000)
    let foreign = FileMode(status)
    var asked: [String] = []
    let problem = FileTrust.linkProblem(on: PathWalk(to: link)) { path in
      asked.append(path)
      return asked.count == 1 ? foreign : nil
    }
    #expect(problem?.reason == "is a link of another user (number 65000)")
    #expect(asked == [link])
  }

  /// In a sandbox that maps one user only, files of root have the overflow ID.
  @Test(
    arguments: [
      ("0 0 4294967295", nil), ("0 1000 1\n1 100000 65536", 65_533), ("1000 1000 1", 65_533),
      ("0 0 1000\n1000 1000 1", nil), ("", nil),
    ] as [(String, uid_t?)])
  func foreignRootIsTheOverflowIDIfRootIsNotMapped(map: String, unmappedRootID: uid_t?) {
    #expect(UserIDMap(map: map, overflow: "65533\n").unmappedRootID == unmappedRootID)
  }

  @Test(arguments: [
    ("/home/ann/todos.sqlite", "/home/ann/todos.sqlite"), ("a b", "'a b'"), ("", "''"),
    ("x;reboot", "'x;reboot'"), ("it's", #"'it'\''s'"#), ("$(id)", "'$(id)'"),
  ])
  func pathInACommandIsOneWord(path: String, word: String) {
    #expect(ShellWord.quoted(path) == word)
  }
}
