import TodoModel

/// The forms in which a service may repeat a secret: as it is, backwards, in any case, percent-encoded,
/// in hexadecimal or base64, and its beginning, its end or a longer piece of any of these.
struct SecretForms {
  /// A beginning or an end of so many scalars is hidden, and any other piece of so many.
  private static let (endCountMin, pieceCountMin) = (4, 8)
  /// Of a longer secret only the beginning and the end are looked for.
  private static let bytesMax = 1_024

  /// Without case.
  private let forms: [[Unicode.Scalar]]

  init(of secret: Secret) {
    let text = secret.revealed
    let bytes = Array(text.utf8)
    guard bytes.count > Self.bytesMax else {
      forms = Self.forms(of: text, bytes)
      return
    }
    let ends = [bytes.prefix(Self.bytesMax), bytes.suffix(Self.bytesMax)]
    forms = ends.flatMap { Self.forms(of: String(decoding: $0, as: UTF8.self), Array($0)) }
  }

  /// The text with `<secret>` in the place of each form.
  func hidden(in text: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard !forms.isEmpty else { return text }
    var folded: [(scalar: Unicode.Scalar, index: Int)] = []
    for (index, scalar) in text.enumerated() {
      for part in Self.folded(scalar) { folded.append((part, index)) }
    }
    var counts = [Int](repeating: 0, count: folded.count)
    for form in forms { Self.count(form, in: folded, into: &counts) }
    var isHidden = [Bool](repeating: false, count: text.count)
    var left = 0
    for (part, count) in zip(folded, counts).reversed() {
      left = max(left - 1, count)
      if left > 0 { isHidden[part.index] = true }
    }
    var result: [Unicode.Scalar] = []
    for (index, scalar) in text.enumerated() {
      if !isHidden[index] {
        result.append(scalar)
      } else if index == 0 || !isHidden[index - 1] {
        result += "<secret>".unicodeScalars
      }
    }
    return result
  }

  /// Notes how much of a form ends at each place of a text, where it is enough to tell something.
  ///
  /// Each place is compared with each of the form once, whatever repeats itself in them: both may
  /// have been chosen by somebody who means harm.
  private static func count(
    _ form: [Unicode.Scalar], in text: [(scalar: Unicode.Scalar, index: Int)],
    into counts: inout [Int]
  ) {
    // By how much of the form there is up to the place before.
    var runs = [Int](repeating: 0, count: form.count + 1)
    for place in text.indices {
      for end in stride(from: form.count, to: 0, by: -1) {
        let count = form[end - 1] == text[place].scalar ? runs[end - 1] + 1 : 0
        runs[end] = count
        let isEnd = count == end || end == form.count
        if count >= (isEnd ? min(endCountMin, form.count) : pieceCountMin) {
          counts[place] = max(counts[place], count)
        }
      }
    }
  }

  // MARK: Forms

  private static func forms(of text: String, _ bytes: [UInt8]) -> [[Unicode.Scalar]] {
    guard !bytes.isEmpty else { return [] }
    let isPlain: (UInt8) -> Bool = { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "-._~".utf8.contains(byte)
    }
    let percent = { (isKept: (UInt8) -> Bool) in
      bytes.map { isKept($0) ? String(Unicode.Scalar($0)) : "%" + hexadecimal($0) }.joined()
    }
    var forms = [
      text, String(String.UnicodeScalarView(text.unicodeScalars.reversed())),
      String(text.reversed()), percent(isPlain), percent { _ in false },
      bytes.map(hexadecimal).joined(),
    ]
    // In the middle of something else, it may begin at any of three places of a group.
    for offset in 0..<3 {
      let letters = base64(bytes, after: offset)
      // Of few bytes nothing is left that depends on them alone.
      guard offset == 0 || letters.count >= endCountMin else { continue }
      forms.append(letters)
      forms.append(String(letters.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }))
    }
    var seen: Set<String> = []
    return forms.filter { seen.insert($0).inserted }.map { $0.unicodeScalars.flatMap(folded) }
  }

  private static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    guard !scalar.isASCII else {
      let isUpper = (0x41...0x5A).contains(scalar.value)
      return [isUpper ? Unicode.Scalar(UInt8(scalar.value) + 0x20) : scalar]
    }
    // By way of upper case, so that ß is ss.
    return scalar.properties.uppercaseMapping.lowercased().unicodeScalars.map { $0 }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  /// The letters that depend on these bytes alone, where `offset` others stand before them.
  private static func base64(_ bytes: [UInt8], after offset: Int) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let all = [UInt8](repeating: 0, count: offset) + bytes
    var letters: [UInt8] = []
    var (bits, bitCount) = (0, 0)
    for byte in all {
      (bits, bitCount) = (bits << 8 | Int(byte), bitCount + 8)
      while bitCount >= 6 {
        bitCount -= 6
        letters.append(alphabet[bits >> bitCount & 0x3F])
      }
      bits &= 0x3F
    }
    // Two bits or four are left over: what stands for them depends on what follows.
    if offset == 0, bitCount > 0 { letters.append(alphabet[bits << (6 - bitCount) & 0x3F]) }
    return String(decoding: letters.dropFirst(offset == 0 ? 0 : offset + 1), as: UTF8.self)
  }
}
