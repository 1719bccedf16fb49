import System
import TodoModel

/// The folder of a document, as editors use it. Its files are real, and have times of the simulated
/// clock.
final class DocumentFolder {
  let path: String
  let file: String
  private let awayPath: String
  private let clock: SimulatedClock

  /// The resolution of file times, as on a system whose clock ticks 250 times a second.
  private static let tickMilliseconds: Int64 = 4

  init(path: String, clock: SimulatedClock) {
    (self.path, self.clock) = (path + "/documents", clock)
    (file, awayPath) = (self.path + "/todos.md", path + "/away")
    mkdir(self.path, 0o700)
  }

  /// The inode of the file at the document's path; `nil` if there is no file.
  var inode: UInt64? {
    var status = stat()
    return stat(file, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  /// Returns the text of the file; `nil` if there is no file or the file is not valid UTF-8, such
  /// as a text whose last character is incomplete.
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

  /// Opens the file for writing and truncates it. The caller closes the descriptor.
  ///
  /// - Returns: The descriptor; `nil` if the file cannot be opened.
  func openEmpty() -> Int32? {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    setModificationTime(of: descriptor)
    return descriptor
  }

  func append(_ bytes: [UInt8], to descriptor: Int32) {
    writeAll(bytes, to: descriptor)
    setModificationTime(of: descriptor)
  }

  /// Replaces the file by another one, like an editor that saves by renaming.
  ///
  /// - Returns: `false` if the file cannot be replaced.
  func replace(with bytes: [UInt8], by name: String) -> Bool {
    let new = "\(file).\(name)~"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    append(bytes, to: descriptor)
    close(descriptor)
    return rename(new, file) == 0
  }

  func removeFile() { unlink(file) }

  private func setModificationTime(of descriptor: Int32) {
    let milliseconds = clock.now.milliseconds / Self.tickMilliseconds * Self.tickMilliseconds
    let time = timespec(
      tv_sec: Int(milliseconds / 1_000), tv_nsec: Int(milliseconds % 1_000) * 1_000_000)
    futimens(descriptor, [time, time])
  }

  // MARK: Other files in the folder

  private static var replacedFileStart: String { ".todos.md.todo-server-" }

  /// The names of former files of the document. The mirror has exchanged these files for new ones,
  /// and has not deleted them yet.
  var replacedFiles: [String] {
    (FolderListing.sorted(in: path) ?? []).filter { $0.hasPrefix(Self.replacedFileStart) }
  }

  /// Makes the mirror fail to create the files that have these numbers in their names. For this
  /// purpose, folders with the names of the files are created.
  func block(_ numbers: [Int]) {
    for number in numbers { mkdir(blocker(number), 0o700) }
  }

  func unblock(_ numbers: [Int]) {
    for number in numbers { rmdir(blocker(number)) }
  }

  private func blocker(_ number: Int) -> String {
    "\(path)/\(Self.replacedFileStart)\(getpid())-\(number)~"
  }

  /// Creates the file that a killed mirror leaves beside the document.
  ///
  /// - Parameter isWhole: `true` if the mirror was killed after it had written the file, and before
  ///   it exchanged the file with the document; `false` if it was killed while it wrote.
  func leaveBehind(_ bytes: [UInt8], isWhole: Bool) {
    let descriptor = open(
      "\(path)/\(Self.replacedFileStart)0-1\(isWhole ? "" : "~")", O_WRONLY | O_CREAT | O_TRUNC,
      0o600)
    guard descriptor >= 0 else { return }
    append(bytes, to: descriptor)
    close(descriptor)
  }

  /// Hides the folder, as if its disk were not mounted.
  func hideFolder() { rename(path, awayPath) }
  func restore() { rename(awayPath, path) }
}
