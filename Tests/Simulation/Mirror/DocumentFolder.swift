import System
import TodoModel

/// The folder of a document, as editors use it: real files, stamped with the time of the run.
final class DocumentFolder {
  let path: String
  let file: String
  private let awayPath: String
  private let clock: SimulatedClock

  /// How fine the time of a file is, as on a system whose clock ticks 250 times a second.
  private static let tickMilliseconds: Int64 = 4

  init(path: String, clock: SimulatedClock) {
    (self.path, self.clock) = (path + "/documents", clock)
    (file, awayPath) = (self.path + "/todos.md", path + "/away")
    mkdir(self.path, 0o700)
  }

  /// Which file has the name now; nil where there is none.
  var inode: UInt64? {
    var status = stat()
    return stat(file, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  /// Nil where there is no file, or half of a character in it.
  func read() -> String? {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = System.read(descriptor, &part, part.count)
      guard count > 0 else { break }
      bytes += part.prefix(count)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Opens the file to be written anew; nil where that cannot be. To be closed.
  func openEmpty() -> Int32? {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    stamp(descriptor)
    return descriptor
  }

  func append(_ bytes: [UInt8], to descriptor: Int32) {
    writeAll(bytes, to: descriptor)
    stamp(descriptor)
  }

  /// Puts another file in its place. False where that cannot be.
  func replace(with bytes: [UInt8], by name: String) -> Bool {
    let new = "\(file).\(name)~"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    append(bytes, to: descriptor)
    close(descriptor)
    return rename(new, file) == 0
  }

  func removeFile() { unlink(file) }

  private func stamp(_ descriptor: Int32) {
    let milliseconds = clock.now.milliseconds / Self.tickMilliseconds * Self.tickMilliseconds
    let time = timespec(
      tv_sec: Int(milliseconds / 1_000), tv_nsec: Int(milliseconds % 1_000) * 1_000_000)
    futimens(descriptor, [time, time])
  }

  // MARK: What is beside the file

  private static var replacedFileStart: String { ".todos.md.todo-server-" }

  /// What the mirror has left beside the file.
  var replacedFiles: [String] {
    (FolderNames.sorted(in: path) ?? []).filter { $0.hasPrefix(Self.replacedFileStart) }
  }

  /// Has the mirror fail to make some of its next files, whose names are taken.
  func block(_ numbers: [Int]) {
    for number in numbers { mkdir(blocker(number), 0o700) }
  }

  func unblock(_ numbers: [Int]) {
    for number in numbers { rmdir(blocker(number)) }
  }

  private func blocker(_ number: Int) -> String {
    "\(path)/\(Self.replacedFileStart)\(getpid())-\(number)~"
  }

  /// What a mirror leaves that is killed while it makes a file, or before it exchanges it.
  func leaveBehind(_ bytes: [UInt8], isWhole: Bool) {
    let descriptor = open(
      "\(path)/\(Self.replacedFileStart)0-1\(isWhole ? "" : "~")", O_WRONLY | O_CREAT | O_TRUNC,
      0o600)
    guard descriptor >= 0 else { return }
    append(bytes, to: descriptor)
    close(descriptor)
  }

  /// As if its disk was not mounted.
  func takeAway() { rename(path, awayPath) }
  func restore() { rename(awayPath, path) }
}
