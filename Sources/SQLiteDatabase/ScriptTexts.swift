import System

/// The texts of the `CREATE`s in some scripts, as SQLite keeps them: without the `;` at the end.
///
/// A start takes away each text that a database has. Nothing is copied or hashed for that: they lie in
/// one array, and as a rule the next one is asked for.
struct ScriptTexts {
  private let bytes: [UInt8]
  /// Where those begin and end that were not taken yet.
  private var left: [Range<Int>]

  init(of scripts: [String]) {
    var bytes: [UInt8] = []
    for script in scripts {
      bytes += script.utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    self.bytes = bytes
    left = bytes.withUnsafeBytes(Self.ranges)
  }

  /// Each begins a line with that word, and no line inside of one does.
  private static func ranges(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
    guard let base = bytes.baseAddress else { return [] }
    let word = "CREATE "
    var ranges: [Range<Int>] = []
    var (start, end, line) = (0, 0, 0)
    while let found = memchr(base + line, 0x0A, bytes.count - line) {
      let lineEnd = base.distance(to: UnsafeRawPointer(found))
      if bytes[line] == UInt8(ascii: "C"), lineEnd - line > word.utf8.count,
        memcmp(base + line, word, word.utf8.count) == 0
      {
        if start < end { ranges.append(start..<end) }
        start = line
      }
      if lineEnd > line, bytes[lineEnd - 1] == UInt8(ascii: ";") { end = lineEnd - 1 }
      line = lineEnd + 1
    }
    if start < end { ranges.append(start..<end) }
    return ranges
  }

  /// Takes a text away; false where there is none like it, byte for byte.
  mutating func take(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let other = text.baseAddress else { return false }
    let index = bytes.withUnsafeBytes { bytes in
      left.firstIndex { range in
        guard range.count == text.count, let base = bytes.baseAddress else { return false }
        return memcmp(base + range.lowerBound, other, text.count) == 0
      }
    }
    guard let index else { return false }
    left.remove(at: index)
    return true
  }

  /// Those that were not taken.
  var rest: [String] { left.map { String(decoding: bytes[$0], as: UTF8.self) } }
}
