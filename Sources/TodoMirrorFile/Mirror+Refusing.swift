import System
import TodoModel

/// What is in the place of the file, and is not taken.
extension Mirror {
  // MARK: What others could have written

  /// What is typed becomes todos, so nobody else may type it.
  func problem(of file: OpenFile) -> FileTrust.Problem? {
    FileTrust.problem(ofFile: paths.target, file.mode)
  }

  /// Nor put another file in its place.
  var problemOnTheWay: FileTrust.Problem? { FileTrust.problem(onTheWayTo: paths.given) }

  /// Leaves alone what is there, and says why.
  func leave(_ reason: String) {
    isUnusable = true
    report(reason)
  }

  /// Another file is in its place, or none. Who has the old one open may still write to it.
  func release(at now: Instant) {
    if let current { setAside(current.file, taken: current.taken, name: nil, at: now) }
    current = nil
  }

  // MARK: What cannot be read

  /// A sentence.
  func unreadableText(_ code: Int32) -> String {
    guard code == EFBIG else { return "\(paths.given) cannot be read (error \(code))." }
    return
      "\(paths.given) has more than \(Self.bytesMaxText), so it is not read, and is left as it is. "
      + "Make it smaller."
  }

  static let bytesMaxText = "\(WatchedText.bytesMax >> 20) MiB"

  var notKeptText: String {
    "\(paths.given) is not UTF-8, and there is no room for a copy of it (error \(errno)), so it is "
      + "not read, and is left as it is."
  }

  /// What was saved while the file was replaced, and cannot be taken, is not taken away.
  ///
  /// - Parameter reason: What follows "What was saved"; nil where it cannot be read.
  func keepReplacedFile(at index: Int, because reason: String?) {
    if let name = replacedFiles[index].name, !keep(name, because: reason) { return }
    replacedFiles.remove(at: index)
  }

  /// Gives a file that was saved a name that somebody finds. False where that cannot be.
  @discardableResult
  func keep(_ name: String, because reason: String?) -> Bool {
    let copy = unreadableName(unreadableCount + 1)
    guard rename(name, copy) == 0 else { return false }
    let reason = reason ?? "cannot be read"
    report("What was saved \(reason). It was kept as \(copy), and nothing was taken from it.")
    return true
  }

  /// Keeps bytes that are not UTF-8. False where there is no room for them.
  func keepCopy(of bytes: [UInt8]) -> Bool {
    // One that was killed just after that has kept them already.
    let last = OpenFile(path: unreadableName(unreadableCount))
    if last?.bytes(countMax: WatchedText.bytesMax) == bytes { return true }
    let copy = unreadableName(unreadableCount + 1)
    let descriptor = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    let isKept = writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    guard isKept else {
      unlink(copy)
      errno = code
      return false
    }
    report("The file was not UTF-8. It was kept as \(copy), and nothing was taken from it.")
    return true
  }

  /// How many there are.
  private var unreadableCount: Int {
    var count = 0
    while access(unreadableName(count + 1), F_OK) == 0 { count += 1 }
    return count
  }

  private func unreadableName(_ number: Int) -> String { "\(paths.target).unreadable-\(number)" }
}
