import System

/// The path of the document, and of the files beside it.
struct MirrorPaths {
  /// The path as the user gave it. Symbolic links are not resolved.
  let userPath: String

  init(_ userPath: String) { self.userPath = userPath }

  /// The path of the file itself, with symbolic links resolved.
  var target: String { CanonicalPath.resolved(userPath) ?? userPath }

  /// The path under which the store records the document. Symbolic links to the folder are
  /// resolved, so that they do not lead to different documents.
  var key: String { CanonicalPath.of(userPath) }

  var folder: String { CanonicalPath.folder(of: target) }
  var name: String { CanonicalPath.name(of: target) }
  /// The path of a new file beside the mirrored file, for new contents if the mirrored file cannot
  /// be replaced.
  var new: String { target + ".new" }
  private var replacedFileStart: String { ".\(name).todo-server-" }

  /// Returns the path to which a new file is written. After the exchange with the mirrored file,
  /// this path leads to the replaced file.
  func replacedFile(_ number: Int) -> String {
    "\(folder)/\(replacedFileStart)\(getpid())-\(number)"
  }

  /// The suffix of a file that is being written.
  static let temporarySuffix = "~"

  /// The files that a killed mirror has left behind: replaced files, and new files that it had not
  /// finished; `nil` if the folder cannot be read.
  var left: (replacedFiles: [String], texts: [String])? {
    guard let names = FolderListing.sorted(in: folder) else { return nil }
    let paths = names.filter { $0.hasPrefix(replacedFileStart) }.map { "\(folder)/\($0)" }
    return (
      paths.filter { !$0.hasSuffix(Self.temporarySuffix) },
      paths.filter { $0.hasSuffix(Self.temporarySuffix) }
    )
  }

  static func isFolderThere(of path: String) -> Bool {
    access(CanonicalPath.folder(of: path), F_OK) == 0
  }
}
