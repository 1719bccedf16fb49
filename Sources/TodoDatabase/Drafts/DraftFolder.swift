import System
import TodoModel

/// The folder of a store, with its draft files.
struct DraftFolder {
  private let folder: String
  /// The start of the name of each draft file.
  private let prefix: String

  init(beside store: String) {
    folder = CanonicalPath.folder(of: CanonicalPath.of(store))
    prefix = CanonicalPath.name(of: CanonicalPath.of(store)) + Self.infix
  }

  private static let infix = ".drafts-"
  private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
  private static let letterCount = 16

  /// Returns a random path beside a store for a new draft file.
  static func newPath(beside store: String) -> String {
    let name = (0..<letterCount).map { _ in letters.randomElement() ?? letters[0] }
    return CanonicalPath.of(store) + infix + String(decoding: name, as: UTF8.self)
  }

  /// The names of the draft files in the folder.
  var names: [String] {
    (FolderListing.sorted(in: folder) ?? []).filter { name in
      let rest = name.utf8.dropFirst(prefix.utf8.count)
      return name.hasPrefix(prefix) && rest.count == Self.letterCount
        && rest.allSatisfy { Self.letters.contains($0) }
    }
  }

  /// Opens and locks the draft file of an ended process.
  ///
  /// - Returns: `nil` for the file of a running process, and for a file that is not trusted, such
  ///   as a file that belongs to another user.
  func openEnded(_ name: String) -> EndedDraftFile? {
    EndedDraftFile(path: "\(folder)/\(name)")
  }

  /// Syncs the folder of a file, so that the creation or removal of the file survives a crash.
  static func sync(of path: String) {
    let descriptor = open(
      CanonicalPath.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

/// The draft file of an ended process, locked while this value exists.
final class EndedDraftFile {
  private let path: String
  private let file: OpenFile  // words: ok

  fileprivate init?(path: String) {
    guard let file = OpenFile(path: path, followsLinks: false) else { return nil }  // words: ok
    (self.path, self.file) = (path, file)
    guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    // Another import may have deleted the file before it was locked.
    var status = stat()
    guard fstat(file.descriptor, &status) == 0, status.st_nlink == 1,
      FileTrust.problem(ofFile: path, file.mode) == nil
    else { return nil }
  }

  /// The newest draft of each todo in the file; `nil` if the file cannot be read or is not a draft
  /// file.
  var drafts: [DraftRecord]? {
    file.bytes(countMax: DraftLimits.fileBytesMax).flatMap { DraftLines.drafts(in: $0) }
  }

  func remove() {
    unlink(path)
    DraftFolder.sync(of: path)
  }
}
