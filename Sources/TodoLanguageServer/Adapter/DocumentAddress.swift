import System

/// Functions that convert the URI of a document to a path, or to the key of the document in the
/// store.
enum DocumentAddress {
  /// Returns the key of a document: the canonical path of its file, or the URI if the document is
  /// not a file. The `mirror` command uses the same path as the key of the document.
  static func key(of uri: String) -> String {
    path(of: uri).map { CanonicalPath.of($0) } ?? uri
  }

  /// Returns the path of a `file:` URI; `nil` for other URIs, and for a URI without a valid path.
  static func path(of uri: String) -> String? {
    let start = "file://"
    guard uri.lowercased().hasPrefix(start) else { return nil }
    let rest = Array(uri.utf8.dropFirst(start.utf8.count))
    guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    var bytes: [UInt8] = []
    var index = slash
    while index < rest.count {
      if rest[index] == UInt8(ascii: "%"), index + 2 < rest.count,
        let value = UInt8(String(decoding: rest[index + 1...index + 2], as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        index += 3
      } else {
        bytes.append(rest[index])
        index += 1
      }
    }
    return bytes.contains(0) ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
