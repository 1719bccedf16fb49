import System

/// A search for the transcripts at a path, which is the path of a single transcript or of a folder.
package enum TranscriptFolder {
  /// The maximum depth of folders. Without it, a link to a parent folder would cause an endless
  /// search.
  private static let depthMax = 32

  /// Returns the transcript at a path, or the transcripts (`*.txt`) below a folder, sorted by path.
  /// Names that begin with a dot are skipped. Throws an error with a message if a folder contains
  /// no transcript or cannot be read.
  package static func files(at path: String) throws(TranscriptError) -> [TranscriptFile] {
    guard isFolder(path) else { return [TranscriptFile(path: path)] }
    let paths = try transcripts(below: path, depth: 0)
    guard !paths.isEmpty else {
      throw TranscriptError("has no transcript: no file below it ends in .txt")
    }
    let folder = CanonicalPath.resolved(path) ?? path
    return paths.map { TranscriptFile(path: $0, foundBelow: folder) }
  }

  private static func transcripts(
    below folder: String, depth: Int
  ) throws(TranscriptError) -> [String] {
    guard depth < depthMax else {
      throw TranscriptError("\(folder): folders lie in folders more than \(depthMax) deep")
    }
    guard let names = FolderListing.sorted(in: folder) else {
      throw TranscriptError("\(folder): cannot be read: \(String(cString: strerror(errno)))")
    }
    var found: [String] = []
    for name in names where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      if isFolder(path) {
        found += try transcripts(below: path, depth: depth + 1)
      } else if name.hasSuffix(".txt") {
        found.append(path)
      }
    }
    return found
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
