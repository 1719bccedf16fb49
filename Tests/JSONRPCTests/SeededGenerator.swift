import JSONRPC

/// Reproducible random numbers (SplitMix64), and the inputs that the property tests generate from
/// them.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func json(depth: Int) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &self) {
    case 0: .null
    case 1: .bool(.random(using: &self))
    case 2: .integer(Int64(truncatingIfNeeded: next() >> UInt64.random(in: 0..<64, using: &self)))
    case 3: .double(double())
    case 4, 5: .string(string())
    case 6: .array((0..<Int.random(in: 0..<6, using: &self)).map { _ in json(depth: depth - 1) })
    default:
      .object(
        JSONObject(
          (0..<Int.random(in: 0..<24, using: &self)).map { _ in
            (string(), json(depth: depth - 2))
          }))
    }
  }

  /// A finite double of any magnitude.
  mutating func double() -> Double {
    let value = Double(bitPattern: next())
    return value.isFinite ? value : 0.5
  }

  mutating func string() -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<20, using: &self) {
      let bitCount = UInt32.random(in: 3...20, using: &self)
      let codePoint = UInt32.random(in: 1..<(1 << bitCount), using: &self)
      text.append(Unicode.Scalar(codePoint) ?? "?")
    }
    return String(text)
  }

  /// Random bytes, most of which are significant in JSON.
  mutating func bytes(count: Int) -> [UInt8] {
    let meaningful = Array("[]{},:\"\\u0 1.e-truefalsn\u{e9}".utf8)
    return (0..<count).map { _ in
      Int.random(in: 0..<8, using: &self) == 0
        ? UInt8.random(in: 0...255, using: &self)
        : meaningful.randomElement(using: &self) ?? 0
    }
  }

  /// Changes, removes or inserts a byte.
  mutating func damage(_ bytes: inout [UInt8]) {
    guard let index = bytes.indices.randomElement(using: &self) else { return }
    switch Int.random(in: 0..<3, using: &self) {
    case 0: bytes[index] = self.bytes(count: 1).first ?? 0
    case 1: bytes.remove(at: index)
    default: bytes.insert(self.bytes(count: 1).first ?? 0, at: index)
    }
  }

  /// Parts of frames, valid and invalid, of both framings.
  mutating func stream() -> [UInt8] {
    let pieces = [
      "Content-Length: ", "content-length:", "2", "7", "50", "x", "\r\n", "\n", "\r", "\r\n\r\n",
      "\r\n\r\n", "{}", "[1]", "{\"a\":1}", "Content-Type: a; charset=utf-8", "charset=x",
      "Content-Length: 2\r\n\r\n{}", "Content-Length: 3\r\n\r\n[1]", "Content-Length: 60\r\n\r\n",
      " ",
      "\t", ":", "a: b", "{\n\"a\":1}", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "9999999999999999999999",
    ]
    let count = Int.random(in: 0..<30, using: &self)
    return (0..<count).flatMap { _ in
      Array((pieces.randomElement(using: &self) ?? "").utf8)
    }
  }
}
