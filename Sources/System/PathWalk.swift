/// The folders and symbolic links on a path, as the system resolves it.
package struct PathWalk {
  /// The folders on the path with all links resolved, from `/` downwards.
  package private(set) var folders: [String] = []
  package private(set) var links: [String] = []

  /// The maximum number of symbolic links on a path, as in Linux.
  private static let linksMax = 40

  /// Resolves a path. Names that do not exist count as folders.
  package init(to path: String) {
    var rest = Self.names(in: path.hasPrefix("/") ? path : "\(Self.current)/\(path)")
    var place = ""
    while let name = rest.popLast() {
      if name == ".." {
        place = CanonicalPath.folder(of: place)
        if place == "/" || place == "." { place = "" }
        continue
      }
      add(place.isEmpty ? "/" : place)
      let next = "\(place)/\(name)"
      guard links.count < Self.linksMax, let target = Self.target(ofLink: next) else {
        place = next
        continue
      }
      links.append(next)
      rest += Self.names(in: target)
      if target.hasPrefix("/") { place = "" }
    }
  }

  private mutating func add(_ folder: String) {
    // If a link leads back to a folder, the folder counts only once, at its last position.
    folders.removeAll { $0 == folder }
    folders.append(folder)
  }

  private static var current: String { CanonicalPath.resolved(".") ?? "" }

  /// Returns the components of a path in reverse order.
  private static func names(in path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
  }

  private static func target(ofLink path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
