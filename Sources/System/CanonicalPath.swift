/// The canonical path of a file, without symbolic links.
package enum CanonicalPath {
  /// Returns the canonical path of a file. For a file that does not exist, this is its name in its
  /// canonical folder.
  package static func of(_ path: String) -> String {
    if let found = resolved(path) { return found }
    return (resolved(folder(of: path)) ?? folder(of: path)) + "/" + name(of: path)
  }

  /// Returns the canonical path of a file; `nil` if no file exists.
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
