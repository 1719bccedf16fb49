import Testing

@testable import TodoModel

/// Characters that control a terminal are never shown, whatever text contains them.
@Suite struct PrintableTests {
  /// The characters above U+007E that can control a terminal: DEL, C1, the characters that change
  /// the direction of text, and the line ends U+2028 and U+2029.
  private static let obeyed =
    Array(0x7F...0x9F) + [0x61C, 0x200E, 0x200F] + Array(0x2028...0x202E) + Array(0x2066...0x2069)

  @Test func jsonHasEscapesForAllOfThemAndForNothingElse() throws {
    for value: UInt32 in 0x20...0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let bytes = Array("\"a\(scalar)\(scalar)b\"".utf8)
      let escaped = String(decoding: PrintableJSON.escaping(bytes), as: UTF8.self)
      guard Self.obeyed.contains(Int(value)) else {
        #expect(escaped.utf8.elementsEqual(bytes))
        continue
      }
      let digits = String(repeating: "0", count: value < 0x100 ? 2 : value < 0x1000 ? 1 : 0)
      let one = "\\u\(digits)\(String(value, radix: 16))"
      #expect(escaped == "\"a\(one)\(one)b\"")
    }
    // Truncated characters stay unchanged.
    for cut: [UInt8] in [[0xC2], [0xE2, 0x80], [0xE2], [0xD8]] {
      #expect(PrintableJSON.escaping(cut) == cut)
    }
  }

  @Test func invisibleCharactersAreEscaped() {
    for value in Array(0...0x1F) + Self.obeyed + [0xAD, 0x200B, 0xFEFF, 0xE000, 0xE0041, 0xFFFE] {
      guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
      let hexadecimal = String(value, radix: 16)
      #expect(PrintableText.escaped("a\(scalar)b") == "a\\u{\(hexadecimal)}b")
      #expect(PrintableText("a\(scalar)b").description == "a\\u{\(hexadecimal)}b")
    }
    let plain = "Zürich 👩‍👩‍👧 e\u{301} 中 \\ \""
    #expect(PrintableText.escaped(plain) == plain)
  }
}
