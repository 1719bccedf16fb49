import System
import TodoModel

/// What is in the place of the file, and is not taken.
extension Mirror {
  // MARK: What others could have written

  /// What is typed becomes todos, so nobody else may type it.
  func problem(of file: HeldFile) -> FileTrust.Problem? {
    FileTrust.problem(ofFile: paths.target, file.mode)
  }

  /// Nor put another file in its place.
  var problemOnTheWay: FileTrust.Problem? { FileTrust.problem(onTheWayTo: paths.given) }

  /// Leaves alone what is there, and says why.
  func leave(_ reason: String) {
    isUnusable = true
    tell(reason)
  }

  /// Another file is in its place, or none. Who has the old one open may still write to it.
  func letGo(at now: Instant) {
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

  /// What was saved while the file was replaced, and cannot be read, is not taken away.
  func keepAside(at index: Int, _ code: Int32) {
    let aside = asides[index]
    if let name = aside.name {
      let copy = freeUnreadableName()
      guard rename(name, copy) == 0 else { return }
      let reason = code == EFBIG ? "has more than \(Self.bytesMaxText)" : "cannot be read"
      say("What was saved \(reason). It was kept as \(copy), and nothing was taken from it.")
    }
    asides.remove(at: index)
  }

  /// Bytes that are not UTF-8 would be changed by being written back.
  func keepUnreadable(_ bytes: [UInt8]) {
    let copy = freeUnreadableName()
    let descriptor = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return say("The file is not UTF-8, and was not taken.") }
    defer { close(descriptor) }
    writeAll(bytes, to: descriptor)
    say("The file was not UTF-8. It was kept as \(copy), and nothing was taken from it.")
  }

  private func freeUnreadableName() -> String {
    var number = 1
    while access("\(paths.target).unreadable-\(number)", F_OK) == 0 { number += 1 }
    return "\(paths.target).unreadable-\(number)"
  }
}
