import System

/// The texts of the `CREATE`s in some scripts, as SQLite keeps them: without the `;` at the end.
///
/// A start takes away each text that a database has. Nothing is copied or hashed for that: they lie in
/// one array, and as a rule the next one is asked for.
struct ScriptTexts {
  private let bytes: [UInt8]
  /// Those that were not taken yet.
  private var left: [Place]

  /// Where a text begins and ends. For a generic `Range` the runtime would look for its type at each
  /// start, which takes as long as the whole comparison.
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

  /// Each begins a line with that word, and no line inside of one does.
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

  /// Takes a text away; false where there is none like it, byte for byte.
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

  /// Those that were not taken.
  var rest: [String] { left.map { String(decoding: bytes[$0.start..<$0.end], as: UTF8.self) } }
}
