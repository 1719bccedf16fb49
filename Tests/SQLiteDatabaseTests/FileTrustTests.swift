import System
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase

/// Tests that files and folders are refused while another user owns them or can write to them.
@Suite struct FileTrustTests {
  private let folder = TemporaryFolder()
  private let nobody: uid_t = 65_534

  private var path: String { folder.path("a/b/todos.sqlite") }

  private func open() throws -> Database { try Database(ofNotesAt: path) }

  /// Creates a database with one note, and closes it.
  private func fill() throws { try open().add("A") }

  private func refusal() -> String? {
    // Opening a pipe would block.
    let bytes = isPipe ? nil : RecordedResponse.bytes(of: path)
    do {
      _ = try open()
      return nil
    } catch {
      if !isPipe { #expect(RecordedResponse.bytes(of: path) == bytes) }
      return (error as? TodoError).map { "\($0.kind): \($0.message)" }
    }
  }

  private var isPipe: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  @Test(arguments: [0o666, 0o622, 0o602] as [mode_t])
  func storeThatOtherUsersMayWriteIsRefused(mode: mode_t) throws {
    try fill()
    chmod(path, mode)
    let number = String(mode, radix: 8)
    #expect(
      refusal() == "storage: \(path) can be changed by others (mode \(number)), so it is not used. "
        + "Run: chmod go-w \(path)")
    chmod(path, mode & 0o755)
    #expect(refusal() == nil)
  }

  /// A user who can write to a folder can replace the files in it.
  @Test func folderThatOtherUsersMayWriteIsRefusedUnlessItIsSticky() throws {
    try fill()
    let b = folder.path("a/b")
    chmod(b, 0o777)
    #expect(refusal()?.hasSuffix("Run: chmod go-w \(b)") == true)
    chmod(b, 0o1777)
    #expect(refusal() == nil)
    chmod(b, 0o755)
    let above = folder.path("a")
    chmod(above, 0o777)
    #expect(refusal()?.hasSuffix("Run: chmod go-w \(above)") == true)
    chmod(above, 0o1777)
    #expect(refusal() == nil)
    chmod(above, 0o700)
  }

  /// The owner of a parent folder can replace the folders below it.
  @Test func parentFolderOfAnotherUserIsRefused() throws {
    try fill()
    let above = folder.path("a")
    guard geteuid() == 0 else {
      // Only root can change the owner, but folders of root are trusted.
      #expect(FileTrust.problem(onTheWayTo: "/usr/share/todos.sqlite") == nil)
      return
    }
    chown(above, 0, 65_533)
    chmod(above, 0o770)
    #expect(refusal()?.hasSuffix("Run: chmod go-w \(above)") == true)
    chmod(above, 0o700)
    #expect(refusal() == nil)
    chown(above, nobody, 0)
    #expect(
      refusal()
        == "storage: \(above) belongs to another user (number 65534), who can replace what is "
        + "below, so it is not used. Choose a place below folders of your own, or be that user.")
    // The sticky bit does not restrict the owner of the folder.
    chmod(above, 0o1777)
    #expect(refusal()?.contains("belongs to another user") == true)
    chown(above, 0, 0)
    #expect(refusal() == nil)
    chmod(above, 0o700)
  }

  /// In a sticky folder that all users may write, a link can be changed by its owner only.
  @Test func linkOfAnotherUserIsNotFollowed() throws {
    try fill()
    mkdir(folder.path("all"), 0o700)
    chmod(folder.path("all"), 0o1777)
    let link = folder.path("all/link")
    symlink(folder.path("a"), link)
    let store = "\(link)/b/todos.sqlite"
    #expect(DatabaseFile(path: store).problem == nil)
    guard geteuid() == 0 else { return }
    lchown(link, nobody, nobody)
    #expect(
      DatabaseFile(path: store).problem
        == FileTrust.Problem(
          path: link, reason: "is a link of another user (number 65534)",
          remedy: "Name the place that it leads to."))
  }

  @Test func folderThatALinkLeadsToIsChecked() throws {
    try fill()
    mkdir(folder.path("open"), 0o700)
    chmod(folder.path("open"), 0o777)
    rename(path, folder.path("open/todos.sqlite"))
    symlink(folder.path("open/todos.sqlite"), path)
    #expect(refusal()?.contains("chmod go-w \(folder.path("open"))") == true)
    chmod(folder.path("open"), 0o700)
    #expect(refusal() == nil)
  }

  /// The file of another user is refused even if root opens it, because the owner of the file could
  /// control root's process.
  @Test(arguments: ["b/todos.sqlite", "b/todos.sqlite-wal", "b/todos.sqlite-shm", "b"])
  func fileOfAnotherUserIsRefused(name: String) throws {
    guard geteuid() == 0 else {
      // Only root can change the owner, but there are files of root.
      let problem = try #require(FileTrust.problem(ofFile: "/etc/passwd"))
      #expect(problem.remedy == "Run: sudo chown \(geteuid()) /etc/passwd")
      return
    }
    try fill()
    let other = folder.path("a/\(name)")
    if access(other, F_OK) != 0 { close(creat(other, 0o600)) }
    chown(other, nobody, nobody)
    #expect(
      refusal() == "storage: \(other) belongs to another user (number 65534), so it is not used. "
        + "Run: chown 0 \(other)")
    chown(other, 0, 0)
    if name.hasSuffix("-wal") || name.hasSuffix("-shm") { unlink(other) }
    #expect(refusal() == nil)
  }

  @Test func noticeNamesAFileThatOtherUsersCanRead() throws {
    try fill()
    #expect(try open().notice == nil)
    chmod(path, 0o644)
    #expect(
      try open().notice == "\(path) can be read by others (mode 644). Run: chmod 600 \(path)")
  }

  /// Opening a pipe without a writer would block.
  @Test func pipeInPlaceOfStoreIsRefused() throws {
    mkdir(folder.path("a"), 0o700)
    mkdir(folder.path("a/b"), 0o700)
    mkfifo(path, 0o600)
    #expect(refusal()?.contains("is not a regular file") == true)
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func pipeBesideStoreIsRefused(suffix: String) throws {
    try fill()
    for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
    mkfifo(path + suffix, 0o600)
    #expect(
      refusal() == "storage: \(path)\(suffix) is a pipe, a device or a folder, so it is not used. "
        + "Run: mv \(path)\(suffix) \(path)\(suffix).old")
  }

  /// A link would make SQLite overwrite a file that another user has chosen.
  @Test(arguments: ["-wal", "-shm", "-journal", ".damaged"])
  func linkBesideStoreIsRefused(suffix: String) throws {
    try fill()
    for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
    let other = folder.path("other")
    close(creat(other, 0o600))
    symlink(other, path + suffix)
    #expect(
      refusal() == "storage: \(path)\(suffix) is a link, so it is not used. "
        + "Run: mv \(path)\(suffix) \(path)\(suffix).old")
    #expect(throws: TodoError.self) { try InspectedDatabase(path: path) }
    unlink(path + suffix)
    #expect(refusal() == nil)
  }

  /// Each file is inspected only once, because another user may replace a pipe by a file during the
  /// check.
  @Test func eachFileIsInspectedOnce() {
    let pipe = FileTrust.Problem(path: path + "-shm", reason: "is a pipe", remedy: "")
    var asked: [String] = []
    let problem = InspectedDatabase.kindProblem(path) { path, _ in
      let isFirst = !asked.contains(path)
      asked.append(path)
      return isFirst && path == pipe.path ? pipe : nil
    }
    #expect(problem == pipe)
    #expect(asked == [path, path + "-wal", path + "-shm"])
  }
}
