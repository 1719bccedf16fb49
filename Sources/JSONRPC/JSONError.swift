/// Why a text is no JSON, and where.
///
/// The description is a sentence for a person, such as "trailing comma at byte 12". It never
/// repeats the text itself, which may hold a secret.
public struct JSONError: Error, Equatable, Sendable {
  /// What can be wrong with a text.
  public enum Problem: Equatable, Sendable {
    /// The text ends inside a value, or has none.
    case unexpectedEnd
    /// The text ends inside a string.
    case unterminatedString
    /// Something stands where a value has to be.
    case expectedValue
    /// Something stands where a key in double quotes has to be.
    case expectedKey
    /// No colon follows a key.
    case expectedColon
    /// Neither a comma nor `]` follows an element.
    case expectedCommaOrArrayEnd
    /// Neither a comma nor `}` follows a member.
    case expectedCommaOrObjectEnd
    /// A comma stands before `]` or `}`.
    case trailingComma
    /// Something follows the value.
    case trailingContent
    /// The text begins with U+FEFF.
    case byteOrderMark
    /// A string has bytes that are not UTF-8.
    case invalidUTF8
    /// A string has a character below U+0020 that is not escaped.
    case controlCharacter
    /// A string has U+0000 as it is; `\u0000` is allowed.
    case nullCharacter
    /// A backslash is followed by what is no escape.
    case invalidEscape
    /// An escape is half of a pair of surrogates.
    case loneSurrogate
    /// A number is not written as JSON writes them.
    case invalidNumber
    /// A number has a zero in front, such as `01`.
    case leadingZero
    /// A number is too large for a `Double`.
    case numberOutOfRange
    /// A number has more bytes than `JSONLimits.numberBytesMax`.
    case numberTooLong(bytesMax: Int)
    /// An object has a key twice.
    case duplicateKey
    /// More is open at once than `JSONLimits.depthMax`.
    case tooDeep(depthMax: Int)
    /// There are more values than `JSONLimits.valuesMax`.
    case tooManyValues(valuesMax: Int)
  }

  /// What is wrong.
  public let problem: Problem

  /// Where it is, in bytes from the start of the text.
  public let byteOffset: Int

  /// An error at a place.
  public init(_ problem: Problem, byteOffset: Int) {
    self.problem = problem
    self.byteOffset = byteOffset
  }
}

extension JSONError: CustomStringConvertible {
  /// The problem and its place, such as "trailing comma at byte 12".
  public var description: String {
    "\(problem) at byte \(byteOffset)"
  }
}

extension JSONError.Problem: CustomStringConvertible {
  /// The problem in words, without its place.
  public var description: String {
    switch self {
    case .unexpectedEnd: "unexpected end of input"
    case .unterminatedString: "unterminated string"
    case .expectedValue: "expected a value"
    case .expectedKey: "expected a key in double quotes"
    case .expectedColon: "expected a colon"
    case .expectedCommaOrArrayEnd: "expected a comma or ]"
    case .expectedCommaOrObjectEnd: "expected a comma or }"
    case .trailingComma: "trailing comma"
    case .trailingContent: "something after the end of the value"
    case .byteOrderMark: "byte order mark"
    case .invalidUTF8: "invalid UTF-8"
    case .controlCharacter: "unescaped control character in a string"
    case .nullCharacter: "U+0000 in a string that is not escaped"
    case .invalidEscape: "invalid escape"
    case .loneSurrogate: "lone surrogate"
    case .invalidNumber: "invalid number"
    case .leadingZero: "number with a leading zero"
    case .numberOutOfRange: "number out of range"
    case .numberTooLong(let bytesMax): "number of more than \(bytesMax) bytes"
    case .duplicateKey: "duplicate key"
    case .tooDeep(let depthMax): "more than \(depthMax) levels of nesting"
    case .tooManyValues(let valuesMax): "more than \(valuesMax) values"
    }
  }
}
