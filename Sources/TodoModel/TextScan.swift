import System

/// Scans of whole texts. They use functions of the C library and of the standard library, which are
/// fast even in a debug build. This matters for a large import, which scans each text several
/// times.
extension String {
  /// Whether all characters are ASCII. Only such a text has as many UTF-16 units as UTF-8 bytes,
  /// because any other character has more bytes than UTF-16 units. For a text in ASCII, the
  /// standard library knows both counts without reading the text.
  package var isASCII: Bool { utf16.count == utf8.count }

  /// Whether the text contains U+0000.
  package var hasNull: Bool {
    var text = self
    return text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return false }
      return memchr(start, 0, bytes.count) != nil
    }
  }
}
