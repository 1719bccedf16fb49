import TodoModel

/// The forms of a secret, to mask them in a text. A service may repeat a secret unchanged,
/// backwards, in any case, in hexadecimal or base64, or with escapes of JSON, HTML or URLs. A part
/// of the secret is masked, too, if it is long enough.
struct SecretForms {
  /// The lengths, in scalars, below which a part of the secret is not masked. `endCountMin` applies
  /// to a part at the beginning or the end of the secret or of an encoded form, such as base64.
  /// `pieceCountMin` applies to any other part.
  private static let (endCountMin, pieceCountMin) = (4, 5)
  /// The maximum length of a secret that is masked completely, in bytes. Of a longer secret, only
  /// the first and the last `bytesMax` bytes are masked.
  private static let bytesMax = 8_192
  /// The maximum number of times that the escapes in a text are decoded.
  private static let escapesMax = 3

  /// The pieces of the secret, by their length. Each piece that a text contains is masked; a longer
  /// part of the secret consists of several pieces. At each position of a text, the search looks up
  /// one piece of each length. Therefore, the search takes a limited time, even if an attacker has
  /// chosen the text.
  private var pieces: [Int: Set<Piece>] = [:]

  init(of secret: Secret) {
    let text = secret.revealed
    let bytes = Array(text.utf8)
    let isLong = bytes.count > Self.bytesMax
    for end in isLong ? [bytes.prefix(Self.bytesMax), bytes.suffix(Self.bytesMax)] : [bytes[...]] {
      add(String(decoding: end, as: UTF8.self), Array(end))
    }
  }

  /// Returns the text with each form of the secret replaced by `<secret>`.
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
    // If a base64 text encodes more than the secret, the secret can begin at any of the three bytes
    // of a group.
    for offset in 0..<3 {
      let letters = Self.base64(bytes, after: offset)
      // If the secret is short, almost every letter also depends on the bytes beside the secret.
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

  /// Adds all pieces of a form that consist of `count` scalars.
  private mutating func add(_ form: ArraySlice<Unicode.Scalar>, count: Int) {
    var piece = Piece(count: count)
    for (index, scalar) in form.enumerated() {
      piece.append(scalar)
      if index >= count - 1 { pieces[count, default: []].insert(piece) }
    }
  }

  /// A piece of a text: a fixed number of consecutive scalars. When a full piece gets another
  /// scalar, it loses its oldest scalar.
  private struct Piece: Hashable {
    /// The scalars, packed with 21 bits each. The newest scalar is in the lowest bits.
    private var scalars: UInt128 = 0
    private let mask: UInt128

    init(count: Int) { mask = (1 << (21 * UInt128(count))) - 1 }

    mutating func append(_ scalar: Unicode.Scalar) {
      scalars = (scalars << 21 | UInt128(scalar.value)) & mask
    }
  }

  /// Converts a scalar to the form in which texts are compared. Letters become lower case. `+` and
  /// `-` become a space, and `_` becomes `/`: URLs can contain `+` for a space, and the second
  /// alphabet of base64 has `-` and `_` in place of `+` and `/`. Returns an empty array for a
  /// scalar that is not printable.
  private static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    switch scalar {
    case "+", "-": return [" "]
    case "_": return ["/"]
    case "A"..."Z": return [Unicode.Scalar(UInt8(scalar.value) + 0x20)]
    case _ where !scalar.isPrintable: return []
    case _ where scalar.isASCII: return [scalar]
    default: break
    }
    // The conversion to upper case comes first, so that ß becomes ss.
    return scalar.properties.uppercaseMapping.lowercased().unicodeScalars.map { $0 }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  /// Returns the part of a base64 text that depends only on these bytes, if `offset` other bytes
  /// precede them in the encoded data.
  private static func base64(_ bytes: [UInt8], after offset: Int) -> String {
    let all = [UInt8](repeating: 0, count: offset) + bytes
    let letters = Base64.encoded(all)
    if offset == 0 { return String(letters.prefix { $0 != "=" }) }
    // The first letters also depend on the preceding bytes. The last letter of an incomplete group
    // also depends on the following bytes.
    return String(letters.prefix(all.count * 8 / 6).dropFirst(offset + 1))
  }
}
