import System

/// The files below a folder.
package enum FileTree {
  /// Their paths, sorted; nothing below a name that begins with a dot.
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

  /// The names in a folder, sorted.
  package static func names(in folder: String) -> [String] {
    FolderNames.sorted(in: folder) ?? []
  }

  /// Where a symbolic link leads; empty when it is none.
  package static func destination(ofLink path: String) -> String {
    let bytes = [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
      count = buffer.withMemoryRebound(to: CChar.self) {
        $0.baseAddress.map { max(0, readlink(path, $0, buffer.count)) } ?? 0
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A whole file as text; nil when it is not there.
  package static func text(of path: String) -> String? {
    RecordedAnswer.bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension String {
  /// Whether another text is in this one, byte for byte, before any U+0000. In a debug build,
  /// `contains` takes seconds for all files of the project.
  package func hasBytes(_ part: String) -> Bool { strstr(self, part) != nil }
}
