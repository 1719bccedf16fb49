/// One name for a file, whatever links lead to it.
package enum CanonicalPath {
  /// The file's own path; of a file that is not there, its name in its folder's own path.
  package static func of(_ path: String) -> String {
    if let found = resolved(path) { return found }
    return (resolved(folder(of: path)) ?? folder(of: path)) + "/" + name(of: path)
  }

  /// Where all links lead; nil where there is nothing.
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
