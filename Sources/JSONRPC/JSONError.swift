/// The reason and the position of a JSON syntax error.
///
/// The description is a message for the user, such as "trailing comma at byte 12". It never quotes
/// the text, which may contain a secret.
public struct JSONError: Error, Equatable, Sendable {
  /// The kinds of errors.
  public enum Problem: Equatable, Sendable {
    /// The text ends inside a value, or contains no value.
    case unexpectedEnd
    /// The text ends inside a string.
    case unterminatedString
    /// A value is missing.
    case expectedValue
    /// A key in double quotes is missing.
    case expectedKey
    /// No colon follows a key.
    case expectedColon
    /// Neither a comma nor `]` follows an element.
    case expectedCommaOrArrayEnd
    /// Neither a comma nor `}` follows a member.
    case expectedCommaOrObjectEnd
    /// A comma precedes `]` or `}`.
    case trailingComma
    /// Something other than whitespace follows the value.
    case trailingContent
    /// The text begins with U+FEFF.
    case byteOrderMark
    /// A string contains bytes that are not UTF-8.
    case invalidUTF8
    /// A string contains an unescaped character below U+0020.
    case controlCharacter
    /// A string contains an unescaped U+0000; `\u0000` is allowed.
    case nullCharacter
    /// A backslash does not begin a valid escape.
    case invalidEscape
    /// An escape is one half of a surrogate pair without the other.
    case loneSurrogate
    /// A number does not follow the JSON syntax.
    case invalidNumber
    /// A number has a leading zero, such as `01`.
    case leadingZero
    /// A number is out of the range of a `Double`.
    case numberOutOfRange
    /// A number is longer than `JSONLimits.numberBytesMax`.
    case numberTooLong(bytesMax: Int)
    /// An object contains a key twice.
    case duplicateKey
    /// The nesting is deeper than `JSONLimits.depthMax`.
    case tooDeep(depthMax: Int)
    /// The text contains more values than `JSONLimits.valuesMax`.
    case tooManyValues(valuesMax: Int)
  }

  /// The kind of error.
  public let problem: Problem

  /// The position of the error, in bytes from the start of the text.
  public let byteOffset: Int

  /// Creates an error at a byte offset.
  public init(_ problem: Problem, byteOffset: Int) {
    self.problem = problem
    self.byteOffset = byteOffset
  }
}

extension JSONError: CustomStringConvertible {
  /// The problem and its position, such as "trailing comma at byte 12".
  public var description: String {
    "\(problem) at byte \(byteOffset)"
  }
}

extension JSONError.Problem: CustomStringConvertible {
  /// The problem without its position.
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
