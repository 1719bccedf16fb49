import System

/// The files below a folder.
package enum FileTree {
  /// Returns the sorted paths of all files below a folder, without those whose path contains a name
  /// that begins with a dot.
  package static func files(below folder: String, ending: String = "") -> [String] {
    var files: [String] = []
    for name in names(in: folder) where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        files += Self.files(below: path, ending: ending)
      } else if name.hasSuffix(ending) {
        files.append(path)
      }
    }
    return files.sorted()
  }

  /// Returns the sorted names in a folder.
  package static func names(in folder: String) -> [String] {
    FolderListing.sorted(in: folder) ?? []
  }

  /// Returns the target of a symbolic link; empty if the path is not a link.
  package static func destination(ofLink path: String) -> String {
    let bytes = [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
      count = buffer.withMemoryRebound(to: CChar.self) {
        $0.baseAddress.map { max(0, readlink(path, $0, buffer.count)) } ?? 0
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the contents of a file as text; `nil` if the file does not exist.
  package static func text(of path: String) -> String? {
    RecordedResponse.bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension String {
  /// Whether the bytes of the string contain those of another string. In both strings, the bytes
  /// from the first U+0000 on are ignored. In a debug build, a search of all files of the project
  /// with `contains` would take seconds.
  package func hasBytes(_ part: String) -> Bool { strstr(self, part) != nil }
}
