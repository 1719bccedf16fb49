/// What the system passes on the way to a path: each folder that a name is looked up in, and each
/// link that is followed.
package struct PathWalk {
  /// From `/` on, without links in their own names.
  package private(set) var folders: [String] = []
  package private(set) var links: [String] = []

  /// As many as the system follows.
  private static let linksMax = 40

  /// What is not there is passed as if it were a folder.
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
    // Where a link has led back, the one that is nearer counts.
    folders.removeAll { $0 == folder }
    folders.append(folder)
  }

  private static var current: String { CanonicalPath.resolved(".") ?? "" }

  /// The last name first.
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
