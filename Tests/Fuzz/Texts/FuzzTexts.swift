import FuzzDriver
import JSONRPC

/// Invariants of the JSON parser for any text.
@main enum FuzzTexts {
  static func main() {
    fuzz { FuzzTexts.handle(Array(UnsafeBufferPointer(start: $0, count: $1))) }
  }

  private static func handle(_ input: [UInt8]) -> CInt {
    let json = try? JSON(parsing: input)
    if let json { checkReadsBack(json, input) }
    checkIsDecoded(input, isJSON: json != nil)
    return 0
  }

  /// Checks that JSON is equal after it was written and parsed again.
  private static func checkReadsBack(_ json: JSON, _ input: [UInt8]) {
    let text = Array(json.compactText.utf8)
    // U+0000 is parsed, but never written.
    check(!containsEscapedNull(text[...]), "a U+0000 is written")
    guard !containsEscapedNull(input[...]) else { return }
    check((try? JSON(parsing: text)) == json, "JSON does not read back")
  }

  /// Checks that the message decoder returns a message or an error for any text. If the JSON parser
  /// accepts a text, the decoder must not refuse the text as invalid JSON. The opposite is allowed:
  /// the decoder may accept values that the parser refuses, such as 1e400, because it need not
  /// parse them.
  private static func checkIsDecoded(_ input: [UInt8], isJSON: Bool) {
    switch decode(input) {
    case .single(.invalid(_, let error)):
      check(!error.message.isEmpty, "an error has no message")
      check(!isJSON || error.code != ErrorCode.parseError, "JSON is refused: \(error.message)")
    case .single: break
    case .batch(let messages): check(!messages.isEmpty, "an empty batch is a batch")
    }
  }
}
