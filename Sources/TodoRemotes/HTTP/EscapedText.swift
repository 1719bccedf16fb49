/// A text in which secrets are searched for, and whose escapes can be decoded, several times if
/// necessary. Each character records its position in the original text.
struct EscapedText {
  struct Letter {
    let scalar: Unicode.Scalar
    /// The range of indices in the original text from which the character was decoded.
    let places: ClosedRange<Int>
  }

  let letters: [Letter]

  init(_ text: [Unicode.Scalar]) {
    letters = text.enumerated().map { Letter(scalar: $1, places: $0...$0) }
  }

  private init(letters: [Letter]) { self.letters = letters }

  /// Returns the text with its escapes decoded once; `nil` if it has no escapes. Decodes the
  /// escapes of JSON and programming languages (`\u0054`, `\x54`, `\"`), HTML (`&#84;`, `&#x54;`,
  /// `&quot;`) and URLs (`%54`).
  func unescaped() -> EscapedText? {
    var result: [Letter] = []
    var place = 0
    while place < letters.count {
      if let escape = escape(at: place) {
        result += escape.letters
        place = escape.end
      } else {
        result.append(letters[place])
        place += 1
      }
    }
    return result.count == letters.count ? nil : EscapedText(letters: result)
  }

  /// The decoded characters of an escape, and the index after the escape.
  private typealias Escape = (letters: [Letter], end: Int)

  private func escape(at place: Int) -> Escape? {
    switch letters[place].scalar {
    case "\\": bytes(from: place) ?? code(at: place) ?? sign(at: place)
    case "%": bytes(from: place) ?? code(at: place)
    case "&": reference(at: place) ?? named(at: place)
    default: nil
    }
  }

  private func escape(_ scalar: Unicode.Scalar, from start: Int, to end: Int) -> Escape {
    let places = letters[start].places.lowerBound...letters[end - 1].places.upperBound
    return ([Letter(scalar: scalar, places: places)], end)
  }

  // MARK: Kinds of escapes

  /// Decodes bytes such as `%C3%9F` or `\xC3\x9F` as UTF-8. Bytes that are not UTF-8 are decoded as
  /// Latin-1.
  private func bytes(from place: Int) -> Escape? {
    var (bytes, ends) = ([UInt8](), [place])
    while let (value, end) = byte(at: ends[bytes.count]) {
      bytes.append(UInt8(value))
      ends.append(end)
    }
    guard !bytes.isEmpty else { return nil }
    var (result, rest) = ([Letter](), bytes.makeIterator())
    var (parser, done) = (Unicode.UTF8.ForwardParser(), 0)
    while done < bytes.count {
      switch parser.parseScalar(from: &rest) {
      case .valid(let found):
        let end = done + found.count
        result += escape(Unicode.UTF8.decode(found), from: ends[done], to: ends[end]).letters
        done = end
      case .error(let length):
        for _ in 0..<length {
          let scalar = Unicode.Scalar(bytes[done])
          result += escape(scalar, from: ends[done], to: ends[done + 1]).letters
          done += 1
        }
      case .emptyInput: done = bytes.count
      }
    }
    return (result, ends[bytes.count])
  }

  private func byte(at place: Int) -> (UInt32, end: Int)? {
    switch (scalar(place), scalar(place + 1)) {
    case ("%", _): number(at: place + 1, 2...2)
    case ("\\", "x"): number(at: place + 2, 2...2)
    default: nil
    }
  }

  /// Decodes an escape such as `\u0054`, `\u{54}`, `\U00000054` or `%u0054`. Two escapes that form
  /// a surrogate pair are decoded to one scalar.
  private func code(at place: Int) -> Escape? {
    guard let (value, end) = unit(at: place) else { return nil }
    if let scalar = Unicode.Scalar(value) { return escape(scalar, from: place, to: end) }
    guard (0xD800...0xDBFF).contains(value), let (low, lowEnd) = unit(at: end),
      (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00))
    else { return nil }
    return escape(scalar, from: place, to: lowEnd)
  }

  private func unit(at place: Int) -> (UInt32, end: Int)? {
    guard scalar(place) == "\\" || scalar(place) == "%" else { return nil }
    switch scalar(place + 1) {
    case "u" where scalar(place + 2) == "{":
      guard let (value, end) = number(at: place + 3, 1...6), scalar(end) == "}" else { return nil }
      return (value, end + 1)
    case "u": return number(at: place + 2, 4...4)
    case "U": return number(at: place + 2, 8...8)
    default: return nil
    }
  }

  /// Decodes an escaped character such as `\"`. The escape of a control character, such as `\t`, is
  /// decoded to a line feed. This is enough for a search for secrets, because no secret contains a
  /// line feed.
  private func sign(at place: Int) -> Escape? {
    guard let next = scalar(place + 1), next.isASCII else { return nil }
    if "ntrbf".unicodeScalars.contains(next) { return escape("\n", from: place, to: place + 2) }
    guard !Character(next).isLetter, !Character(next).isNumber else { return nil }
    return escape(next, from: place, to: place + 2)
  }

  /// Decodes a numeric character reference such as `&#84;` or `&#x54;`. The `;` can be missing.
  private func reference(at place: Int) -> Escape? {
    guard scalar(place + 1) == "#" else { return nil }
    let isHexadecimal = scalar(place + 2) == "x" || scalar(place + 2) == "X"
    let found =
      isHexadecimal ? number(at: place + 3, 1...8) : number(at: place + 2, 1...8, radix: 10)
    guard let (value, end) = found, let scalar = Unicode.Scalar(value) else { return nil }
    return escape(scalar, from: place, to: self.scalar(end) == ";" ? end + 1 : end)
  }

  private static let names: [(name: String, scalar: Unicode.Scalar)] = [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
  ]

  private func named(at place: Int) -> Escape? {
    for (name, scalar) in Self.names {
      let text = letters[place...].prefix(name.utf8.count).map(\.scalar)
      guard text.elementsEqual(name.unicodeScalars) else { continue }
      return escape(scalar, from: place, to: place + text.count)
    }
    return nil
  }

  // MARK: Letters

  private func scalar(_ place: Int) -> Unicode.Scalar? {
    letters.indices.contains(place) ? letters[place].scalar : nil
  }

  /// Parses a number, and returns its value and the index after it; `nil` if it has too few digits.
  ///
  /// - Parameter counts: The allowed number of digits.
  private func number(
    at place: Int, _ counts: ClosedRange<Int>, radix: Int = 16
  ) -> (UInt32, end: Int)? {
    var (value, end): (UInt32, Int) = (0, place)
    while end - place < counts.upperBound,
      let digit = scalar(end).flatMap({
        $0.isASCII ? Int(String($0), radix: radix) : nil
      })
    {
      value = value &* UInt32(radix) &+ UInt32(digit)
      end += 1
    }
    return end - place < counts.lowerBound ? nil : (value, end)
  }
}
