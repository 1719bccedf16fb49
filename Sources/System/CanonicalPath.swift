/// Functions for the canonical paths of files, which contain no symbolic links.
package enum CanonicalPath {
  /// Returns the canonical path of a file. If the file does not exist, returns the canonical path
  /// of its folder, followed by the name of the file.
  package static func of(_ path: String) -> String {
    if let found = resolved(path) { return found }
    return (resolved(folder(of: path)) ?? folder(of: path)) + "/" + name(of: path)
  }

  /// Returns the canonical path of a file; `nil` if the file does not exist.
  package static func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }
}
