import System

/// The texts of the `CREATE` statements in scripts (see `SchemaPart.scripts`), in the form that
/// SQLite stores: without the final `;`.
///
/// When a database is opened, each text that the database contains is removed from this value. The
/// texts that are left are missing in the database. Nothing is copied or hashed: all texts are in
/// one array, and usually the next text in it matches.
struct ScriptTexts {
  private let bytes: [UInt8]
  /// The positions of the texts that were not removed yet, in ascending order.
  private var left: [Place]

  /// The range of a text. It is not a `Range`, because looking up the metadata of a generic type
  /// takes as long as the whole comparison.
  private struct Place {
    var start: Int
    var end: Int
  }

  init(of scripts: [String]) {
    var bytes: [UInt8] = []
    for script in scripts {
      bytes += script.utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    self.bytes = bytes
    left = bytes.withUnsafeBytes(Self.places)
  }

  /// Returns the ranges of the texts. Each text starts with a line that begins with `CREATE`, and
  /// no other line begins with it.
  private static func places(in bytes: UnsafeRawBufferPointer) -> [Place] {
    guard let base = bytes.baseAddress else { return [] }
    let word = "CREATE "
    var places: [Place] = []
    var (start, end, line) = (0, 0, 0)
    while let found = memchr(base + line, 0x0A, bytes.count - line) {
      let lineEnd = base.distance(to: UnsafeRawPointer(found))
      if bytes[line] == UInt8(ascii: "C"), lineEnd - line > word.utf8.count,
        memcmp(base + line, word, word.utf8.count) == 0
      {
        if start < end { places.append(Place(start: start, end: end)) }
        start = line
      }
      if lineEnd > line, bytes[lineEnd - 1] == UInt8(ascii: ";") { end = lineEnd - 1 }
      line = lineEnd + 1
    }
    if start < end { places.append(Place(start: start, end: end)) }
    return places
  }

  /// Removes the text whose bytes equal those of `text`.
  ///
  /// - Returns: `false` if there is no such text.
  mutating func consume(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let other = text.baseAddress else { return false }
    let index = bytes.withUnsafeBytes { bytes in
      left.firstIndex { place in
        guard place.end - place.start == text.count, let base = bytes.baseAddress else {
          return false
        }
        return memcmp(base + place.start, other, text.count) == 0
      }
    }
    guard let index else { return false }
    left.remove(at: index)
    return true
  }

  /// The texts that were not removed.
  var rest: [String] { left.map { String(decoding: bytes[$0.start..<$0.end], as: UTF8.self) } }
}
