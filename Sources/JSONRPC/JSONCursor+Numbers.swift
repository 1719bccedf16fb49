extension JSONCursor {
  /// Parses a number whose first byte, a digit or a minus sign, is at the position.
  mutating func parseNumber() throws(JSONError) -> JSON {
    let start = position
    let scan = try scanNumber()
    if scan.isInteger, let integer = scan.integer {
      return .integer(integer)
    }
    if let double = scan.exactDouble {
      return .double(double)
    }
    let text = String(
      decoding: UnsafeBufferPointer(start: bytes + start, count: position - start), as: UTF8.self)
    guard let double = Double(text), double.isFinite else {
      throw JSONError(.numberOutOfRange, byteOffset: start)
    }
    return .double(double)
  }

  /// Skips a number and checks its syntax, but not whether a `Double` can represent it.
  @inline(__always)
  mutating func scanNumber() throws(JSONError) -> NumberScan {
    let start = position
    var scan = NumberScan()
    if peek() == UInt8(ascii: "-") {
      scan.isNegative = true
      position += 1
    }
    try scanInteger(&scan)
    if peek() == UInt8(ascii: ".") {
      position += 1
      try scanFraction(&scan)
    }
    if peek() | 0x20 == UInt8(ascii: "e") {
      position += 1
      try scanExponent(&scan)
    }
    guard position - start <= limits.numberBytesMax else {
      throw JSONError(.numberTooLong(bytesMax: limits.numberBytesMax), byteOffset: start)
    }
    return scan
  }

  private mutating func scanInteger(_ scan: inout NumberScan) throws(JSONError) {
    let start = position
    try scanDigits { scan.append(digit: $0) }
    if position - start > 1 && bytes[start] == UInt8(ascii: "0") {
      throw JSONError(.leadingZero, byteOffset: start)
    }
  }

  private mutating func scanFraction(_ scan: inout NumberScan) throws(JSONError) {
    scan.isInteger = false
    let start = position
    try scanDigits { scan.append(digit: $0) }
    scan.exponent -= position - start
  }

  private mutating func scanExponent(_ scan: inout NumberScan) throws(JSONError) {
    scan.isInteger = false
    let isNegative = peek() == UInt8(ascii: "-")
    if isNegative || peek() == UInt8(ascii: "+") {
      position += 1
    }
    var exponent = 0
    // Larger exponents make no difference to a `Double`, and this avoids an overflow.
    try scanDigits { exponent = min(exponent * 10 + Int($0), 1_000_000) }
    scan.exponent += isNegative ? -exponent : exponent
  }

  /// Parses one or more digits, and calls `append` with the value of each, 0 to 9.
  @inline(__always)
  private mutating func scanDigits(_ append: (UInt8) -> Void) throws(JSONError) {
    let start = position
    while position < count {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      append(digit)
      position += 1
    }
    if position == start {
      throw problem(.invalidNumber)
    }
  }
}

/// The decimal digits and the decimal exponent of a number.
struct NumberScan {
  var isNegative = false
  var isInteger = true
  var exponent = 0
  private var magnitude: UInt64 = 0
  private var isOverflown = false

  @inline(__always)
  mutating func append(digit: UInt8) {
    let (product, productOverflow) = magnitude.multipliedReportingOverflow(by: 10)
    let (sum, sumOverflow) = product.addingReportingOverflow(UInt64(digit))
    magnitude = sum
    isOverflown = isOverflown || productOverflow || sumOverflow
  }

  /// The digits as an integer; `nil` if they do not fit into 64 bits.
  var integer: Int64? {
    guard !isOverflown else { return nil }
    if isNegative {
      return magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }
    return Int64(exactly: magnitude)
  }

  /// The correctly rounded value as a `Double`; `nil` if the digits, read as an integer, exceed
  /// 2^53, or if the exponent is not in -22...22.
  ///
  /// Within these limits, a `Double` represents the digits and the power of ten exactly. Therefore,
  /// a single multiplication or division computes the value with correct rounding.
  var exactDouble: Double? {
    guard !isOverflown, magnitude <= 1 << 53, abs(exponent) < Self.powersOfTen.count else {
      return nil
    }
    let digits = isNegative ? -Double(magnitude) : Double(magnitude)
    let power = Self.powersOfTen[abs(exponent)]
    return exponent < 0 ? digits / power : digits * power
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
