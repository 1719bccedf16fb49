import System

/// Where the file is, and the names beside it.
struct MirrorPaths {
  /// As it was given: perhaps a link, which stays one.
  let given: String

  init(_ given: String) { self.given = given }

  /// Where a link leads at this moment.
  var target: String { CanonicalPath.resolved(given) ?? given }

  /// What the document is remembered by: the folder's own path, so that no link to it is another
  /// document.
  var key: String { CanonicalPath.of(given) }

  var folder: String { CanonicalPath.folder(of: target) }
  var name: String { CanonicalPath.name(of: target) }
  /// Where the text goes when the file must not be replaced.
  var new: String { target + ".new" }
  private var replacedFileStart: String { ".\(name).todo-server-" }

  /// For the next text, and then for what was in its place.
  func replacedFile(_ number: Int) -> String {
    "\(folder)/\(replacedFileStart)\(getpid())-\(number)"
  }

  /// What ends the name of a text that is being written.
  static let halfEnd = "~"

  /// What an earlier mirror has left there when it was killed: what it had swapped out, and texts of
  /// its own that it had not finished. Nil where the folder cannot be read.
  var left: (replacedFiles: [String], texts: [String])? {
    guard let names = FolderNames.sorted(in: folder) else { return nil }
    let paths = names.filter { $0.hasPrefix(replacedFileStart) }.map { "\(folder)/\($0)" }
    return (
      paths.filter { !$0.hasSuffix(Self.halfEnd) }, paths.filter { $0.hasSuffix(Self.halfEnd) }
    )
  }

  static func isFolderThere(of path: String) -> Bool {
    access(CanonicalPath.folder(of: path), F_OK) == 0
  }
}
