import JSONRPC
import System
import TestSupport
import Testing

/// Tests the paths of a log, a transcript or a trace: whatever is at the path, the server starts or
/// reports why it does not.
@Suite struct LogFileTests {
  private let folder = TemporaryFolder()

  /// Runs a short session with some options.
  ///
  /// - Returns: Whether the login was answered, and the run with its output on stderr.
  private func session(_ arguments: [String]) throws -> (isAnswered: Bool, run: CommandRun) {
    let line =
      #"{"jsonrpc":"2.0","id":1,"method":"initialize"}"# + "\n"
      + #"{"jsonrpc":"2.0","id":2,"method":"login","params":{"name":"ann"}}"# + "\n"
      + #"{"jsonrpc":"2.0","method":"nonsense"}"# + "\n"
    let run = try CommandRun(["--store", "memory"] + arguments, input: Array(line.utf8))
    return (run.output.contains(#""id":2,"result""#), run)
  }

  @Test func logToAnUnreadPipeDoesNotBlock() throws {
    let pipe = folder.path("pipe")
    mkfifo(pipe, 0o600)
    #expect(try session(["--log-file", pipe]).isAnswered)
  }

  @Test func logIsWrittenToAPipeWithAReader() throws {
    let pipe = folder.path("pipe")
    mkfifo(pipe, 0o600)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    #expect(try session(["--log-file", pipe]).isAnswered)
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(reader, &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).contains("nonsense"))
  }

  @Test func fullDeviceAndDanglingLinkDoNotPreventTheStart() throws {
    #expect(try session(["--log-file", "/dev/full"]).isAnswered)
    let (link, target) = (folder.path("link"), folder.path("log"))
    symlink(target, link)
    #expect(try session(["--log-file", link]).isAnswered)
    #expect(try #require(FileTree.text(of: target)).contains("nonsense"))
  }

  @Test func logFileOfAnotherUserIsRefused() throws {
    let file = folder.path("log")
    close(open(file, O_CREAT | O_CLOEXEC, 0o666))
    guard chown(file, 65_534, 65_534) == 0 else { return }
    let (isAnswered, run) = try session(["--log-file", file])
    #expect(!isAnswered && run.exitCode == 1)
    #expect(run.errors.contains("belongs to another user"))
    #expect(FileTree.text(of: file) == "")
  }

  /// Another user may create a link at the path of the log, the recording or the trace. If the link
  /// leads to one of our files, that file is not written to.
  @Test(arguments: ["--log-file", "--record", "--trace"])
  func linkToAFileIsNotWrittenTo(option: String) throws {
    let (file, name) = (folder.path("mine"), folder.path("log"))
    let opened = fopen(file, "w")
    fputs("mine", opened)
    fclose(opened)
    link(file, name)
    let (isAnswered, run) = try session([option, name])
    #expect(!isAnswered && run.exitCode == 1)
    #expect(run.errors.contains("has another name as well"), "\(run.errors)")
    #expect(FileTree.text(of: file) == "mine")
    guard geteuid() == 0 else { return }
    unlink(name)
    symlink(file, name)
    lchown(name, 65_534, 65_534)
    #expect(try !session([option, name]).isAnswered)
    #expect(FileTree.text(of: file) == "mine")
  }

  @Test func folderAsLogFileIsRefused() throws {
    let (isAnswered, run) = try session(["--log-file", folder.path])
    #expect(!isAnswered && run.exitCode == 1)
    #expect(
      run.errors
        == "todo-server: --log-file \(folder.path) cannot be opened: Is a directory\n")
  }

  @Test(arguments: ["--record", "--trace"])
  func unwritableOutputFileIsReportedAtTheStart(option: String) throws {
    let pipe = folder.path("pipe")
    mkfifo(pipe, 0o600)
    let link = folder.path("link")
    symlink(folder.path("nothing"), link)
    for path in [pipe, folder.path, link] {
      let (isAnswered, run) = try session([option, path])
      #expect(!isAnswered && run.exitCode == 1)
      #expect(run.errors.contains("\(path) cannot be written: "), "\(run.errors)")
    }
    // A FIFO with a reader is refused as well, because a file is rewritten from its beginning.
    let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    #expect(try session([option, pipe]).run.errors.contains("it is not a regular file"))
    #expect(access(folder.path("nothing"), F_OK) != 0)
  }

  /// Root must not change the mode of a device, which would affect all users.
  @Test(arguments: ["--record", "--trace"])
  func modeOfADeviceIsNotChanged(option: String) throws {
    var before = stat()
    stat("/dev/full", &before)
    #expect(try session([option, "/dev/full"]).isAnswered)
    var after = stat()
    stat("/dev/full", &after)
    #expect(before.st_mode == after.st_mode)
  }

  @Test(arguments: ["--record", "--trace"])
  func fileOfAnotherUserIsNotChanged(option: String) throws {
    let path = folder.path("theirs")
    let file = fopen(path, "w")
    fputs("theirs", file)
    fclose(file)
    // Without the right to change owners, a file of root is used.
    let other = geteuid() == 0 ? path : "/etc/passwd"
    if geteuid() == 0 { chown(path, 65_534, 65_534) }
    let (isAnswered, run) = try session([option, other])
    #expect(!isAnswered && run.errors.contains("\(other) cannot be written: "))
    #expect(FileTree.text(of: path) == "theirs")
  }
}
