import System

/// Where transcripts are looked for: a file, or a folder with all that are below it.
package enum TranscriptFolder {
  /// How deep folders are searched, which a link that leads back up must not make endless.
  private static let depthMax = 32

  /// The transcript of a path; of a folder those below it (`*.txt`), sorted by path, without names
  /// that begin with a dot. Throws a sentence when a folder has none or cannot be read.
  package static func files(at path: String) throws(TranscriptError) -> [TranscriptFile] {
    guard isFolder(path) else { return [TranscriptFile(path: path)] }
    let paths = try transcripts(below: path, depth: 0)
    guard !paths.isEmpty else {
      throw TranscriptError("has no transcript: no file below it ends in .txt")
    }
    return paths.map { TranscriptFile(path: $0) }
  }

  private static func transcripts(
    below folder: String, depth: Int
  ) throws(TranscriptError) -> [String] {
    guard depth < depthMax else {
      throw TranscriptError("\(folder): folders lie in folders more than \(depthMax) deep")
    }
    var found: [String] = []
    for name in try names(in: folder) where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      if isFolder(path) {
        found += try transcripts(below: path, depth: depth + 1)
      } else if name.hasSuffix(".txt") {
        found.append(path)
      }
    }
    return found
  }

  private static func names(in folder: String) throws(TranscriptError) -> [String] {
    guard let directory = opendir(folder) else {
      throw TranscriptError("\(folder): cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names.sorted()
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
