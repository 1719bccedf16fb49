import TodoModel

/// The forms in which a service may repeat a secret: unchanged, backwards, in any case, in
/// hexadecimal or base64, or with escapes of JSON, HTML or URLs. Pieces of a minimum length count,
/// too.
struct SecretForms {
  /// The minimum number of scalars of a piece at the beginning or end of a form, and of any other
  /// piece.
  private static let (endCountMin, pieceCountMin) = (4, 5)
  /// The maximum size of a secret that is searched for as a whole, in bytes. Of a longer secret,
  /// only the beginning and the end are searched for.
  private static let bytesMax = 8_192
  /// The maximum number of layers of escapes that are decoded.
  private static let escapesMax = 3

  /// The pieces of the secret, by their length. Every piece that a text contains is hidden there. A
  /// longer part of the secret consists of several pieces. The search looks up each position of a
  /// text once for each length, so a text and a secret that an attacker has chosen cannot slow it
  /// down.
  private var pieces: [Int: Set<Piece>] = [:]

  init(of secret: Secret) {
    let text = secret.revealed
    let bytes = Array(text.utf8)
    let isLong = bytes.count > Self.bytesMax
    for end in isLong ? [bytes.prefix(Self.bytesMax), bytes.suffix(Self.bytesMax)] : [bytes[...]] {
      add(String(decoding: end, as: UTF8.self), Array(end))
    }
  }

  /// Returns the text with each form replaced by `<secret>`.
  func hidden(in text: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var isHidden = [Bool](repeating: false, count: text.count)
    var layer: EscapedText? = EscapedText(text)
    for _ in 0...Self.escapesMax {
      guard let known = layer else { break }
      hide(in: known, &isHidden)
      layer = known.unescaped()
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

  private func hide(in text: EscapedText, _ isHidden: inout [Bool]) {
    let folded = text.letters.flatMap { letter in
      Self.folded(letter.scalar).map { (scalar: $0, places: letter.places) }
    }
    for (count, known) in pieces {
      var piece = Piece(count: count)
      for end in folded.indices {
        piece.append(folded[end].scalar)
        guard end >= count - 1, known.contains(piece) else { continue }
        let places = folded[end + 1 - count].places.lowerBound...folded[end].places.upperBound
        for place in places { isHidden[place] = true }
      }
    }
  }

  // MARK: Forms

  private mutating func add(_ text: String, _ bytes: [UInt8]) {
    var forms = [
      text, String(String.UnicodeScalarView(text.unicodeScalars.reversed())),
      String(text.reversed()), bytes.map(Self.hexadecimal).joined(),
    ]
    // In a longer base64 text, the secret may begin at any of the three bytes of a group.
    for offset in 0..<3 {
      let letters = Self.base64(bytes, after: offset)
      // If there are few bytes, hardly any letter depends on them alone.
      if offset == 0 || letters.count >= Self.endCountMin { forms.append(letters) }
    }
    for form in forms { add(form.unicodeScalars.flatMap(Self.folded)) }
  }

  private mutating func add(_ form: [Unicode.Scalar]) {
    let endCount = min(Self.endCountMin, form.count)
    guard endCount > 0 else { return }
    for end in [form.prefix(endCount), form.suffix(endCount)] { add(end, count: endCount) }
    add(form[...], count: Self.pieceCountMin)
  }

  /// Adds all pieces of one length.
  private mutating func add(_ form: ArraySlice<Unicode.Scalar>, count: Int) {
    var piece = Piece(count: count)
    for (index, scalar) in form.enumerated() {
      piece.append(scalar)
      if index >= count - 1 { pieces[count, default: []].insert(piece) }
    }
  }

  /// The last few scalars of a text.
  private struct Piece: Hashable {
    /// The last Unicode scalars, packed with 21 bits each, the newest in the lowest bits.
    private var scalars: UInt128 = 0
    private let mask: UInt128

    init(count: Int) { mask = (1 << (21 * UInt128(count))) - 1 }

    mutating func append(_ scalar: Unicode.Scalar) {
      scalars = (scalars << 21 | UInt128(scalar.value)) & mask
    }
  }

  /// Returns a scalar as it is compared: in lower case, and with the same sign for characters that
  /// URLs and the two alphabets of base64 use for each other. Returns nothing for a scalar that is
  /// not printable.
  private static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    switch scalar {
    case "+", "-": return [" "]
    case "_": return ["/"]
    case "A"..."Z": return [Unicode.Scalar(UInt8(scalar.value) + 0x20)]
    case _ where !scalar.isPrintable: return []
    case _ where scalar.isASCII: return [scalar]
    default: break
    }
    // Converted to upper case first, so that ß becomes ss.
    return scalar.properties.uppercaseMapping.lowercased().unicodeScalars.map { $0 }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  /// Returns the letters of base64 that depend on these bytes alone, if `offset` other bytes
  /// precede.
  private static func base64(_ bytes: [UInt8], after offset: Int) -> String {
    let all = [UInt8](repeating: 0, count: offset) + bytes
    let letters = Base64.encoded(all)
    if offset == 0 { return String(letters.prefix { $0 != "=" }) }
    // The first letters depend on the preceding bytes; the last letter of an incomplete group, on
    // the following bytes.
    return String(letters.prefix(all.count * 8 / 6).dropFirst(offset + 1))
  }
}
