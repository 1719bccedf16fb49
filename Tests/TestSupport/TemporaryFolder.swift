import System

/// A new empty folder. It is removed with its contents when this object is released.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init(in parent: String = "/tmp") {
    var template = Array("\(parent)/todo-server-test-XXXXXX\0".utf8)
    let made = template.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        characters.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
      }
    }
    path = made ?? "/tmp"
    precondition(
      made != nil, "A temporary folder cannot be made: \(String(cString: strerror(errno))).")
  }

  deinit { Self.remove(path) }

  /// Returns a path inside the folder.
  package func path(_ name: String) -> String { path + "/" + name }

  private static func remove(_ path: String) {
    // For a link, only the link is removed.
    guard unlink(path) != 0, let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { remove(path + "/" + name) }
    }
    closedir(folder)
    rmdir(path)
  }
}
