import System
import TodoModel

/// Files that are not read, or whose contents cannot be stored.
extension Mirror {
  // MARK: Files that other users can write

  /// Returns a problem if other users can write to the file, and could thus change the user's
  /// todos; `nil` if they cannot.
  func problem(of file: OpenFile) -> FileTrust.Problem? {
    FileTrust.problem(ofFile: paths.target, file.mode)
  }

  /// A problem if other users can replace the file, because they can write to a folder on its path;
  /// `nil` if they cannot.
  var problemOnTheWay: FileTrust.Problem? { FileTrust.problem(onTheWayTo: paths.userPath) }

  func reportProblem(_ text: String) {
    if lastProblem != text { report(text) }
    lastProblem = text
  }

  /// Reports the end of a problem, if there was one, after the file was brought up to date.
  func reportRecovery() {
    if lastProblem != nil { report("\(paths.userPath) is kept again.") }
    (lastProblem, isBesideReported) = (nil, false)
  }

  /// Leaves the file at the path unchanged, and reports the reason.
  func leave(_ reason: String) {
    isUnusable = true
    reportProblem(reason)
  }

  /// Stops using the current file as the document, because it was replaced or deleted. The file is
  /// still watched, as a replaced file, because programs that have it open may write to it.
  func release(at now: Instant) {
    if let current {
      setAside(current.file, appliedContents: current.appliedContents, name: nil, at: now)
    }
    current = nil
  }

  // MARK: Saves

  /// Reports the changes of a save that were refused or are delayed.
  func report(_ saved: DocumentReport) {
    if saved.refusedCount > 0 {
      let lines = saved.refusedCount == 1 ? "A new line stays" : "New lines stay"
      report("\(lines) text. \(TodoError.addingRefused.message)")
    }
    if let message = saved.heldRemovals(in: list) { report(message) }
  }

  // MARK: Files that cannot be read

  /// Returns the message for an error that occurred when the file was read.
  func unreadableText(_ code: Int32) -> String {
    guard code == EFBIG else { return "\(paths.userPath) cannot be read (error \(code))." }
    return
      "\(paths.userPath) has more than \(Self.bytesMaxText), so it is not read, and stays unchanged. "
      + "Make it smaller."
  }

  static let bytesMaxText = "\(WatchedFile.bytesMax >> 20) MiB"

  var copyFailedText: String {
    "\(paths.userPath) is not UTF-8, and there is no room for a copy of it (error \(errno)), so it is "
      + "not read, and stays unchanged."
  }

  /// Renames a replaced file whose contents cannot be stored, so that the user can find it, and
  /// stops watching it. If the file has no name, only stops watching it.
  ///
  /// - Parameter reason: The part of the message after "What was saved", such as "was not UTF-8";
  ///   `nil` if the file cannot be read.
  func keepReplacedFile(at index: Int, because reason: String?) {
    if let name = replacedFiles[index].name, !keep(name, because: reason) { return }
    replacedFiles.remove(at: index)
  }

  /// Renames a file so that the user can find it. Returns `false` if that fails.
  ///
  /// - Parameter reason: The part of the message after "What was saved", such as "was not UTF-8";
  ///   `nil` if the file cannot be read.
  @discardableResult
  func keep(_ name: String, because reason: String?) -> Bool {
    let copy = unreadableName(unreadableCount + 1)
    guard rename(name, copy) == 0 else { return false }
    let reason = reason ?? "cannot be read"
    report("What was saved \(reason). It was kept as \(copy), and nothing was taken from it.")
    return true
  }

  /// Stores a copy of contents that are not UTF-8. Returns `false` if that fails, such as on a full
  /// disk.
  func keepCopy(of bytes: [UInt8]) -> Bool {
    // An earlier process may have been killed after it stored the same copy.
    let last = OpenFile(path: unreadableName(unreadableCount))
    if last?.bytes(countMax: WatchedFile.bytesMax) == bytes { return true }
    let copy = unreadableName(unreadableCount + 1)
    guard write(bytes, toNew: copy) else { return false }
    report("The file was not UTF-8. It was kept as \(copy), and nothing was taken from it.")
    return true
  }

  /// Writes a new file. Returns `false` with `errno` if that fails, for example because the file
  /// exists.
  func write(_ bytes: [UInt8], toNew path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    let isKept = writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    if !isKept { unlink(path) }
    errno = code
    return isKept
  }

  /// The number of files with contents that could not be stored. These files are beside the
  /// mirrored file, and their names are numbered from 1.
  private var unreadableCount: Int {
    var count = 0
    while access(unreadableName(count + 1), F_OK) == 0 { count += 1 }
    return count
  }

  private func unreadableName(_ number: Int) -> String { "\(paths.target).unreadable-\(number)" }
}
