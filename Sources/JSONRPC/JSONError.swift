/// Why a text is no JSON, and where.
///
/// The description is a sentence for a person, such as "trailing comma at byte 12". It never
/// repeats the text itself, which may hold a secret.
public struct JSONError: Error, Equatable, Sendable {
  public enum Problem: Equatable, Sendable {
    case unexpectedEnd
    case unterminatedString
    case expectedValue
    case expectedKey
    case expectedColon
    case expectedCommaOrArrayEnd
    case expectedCommaOrObjectEnd
    case trailingComma
    case trailingContent
    case byteOrderMark
    case invalidUTF8
    case controlCharacter
    case nullCharacter
    case invalidEscape
    case loneSurrogate
    case invalidNumber
    case leadingZero
    case numberOutOfRange
    case numberTooLong(bytesMax: Int)
    case duplicateKey
    case tooDeep(depthMax: Int)
    case tooManyValues(valuesMax: Int)
  }

  public let problem: Problem

  /// Where it is, in bytes from the start of the text.
  public let byteOffset: Int

  public init(_ problem: Problem, byteOffset: Int) {
    self.problem = problem
    self.byteOffset = byteOffset
  }
}

extension JSONError: CustomStringConvertible {
  public var description: String {
    "\(problem) at byte \(byteOffset)"
  }
}

extension JSONError.Problem: CustomStringConvertible {
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
