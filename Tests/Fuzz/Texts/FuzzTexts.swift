import FuzzDriver
import JSONRPC

/// What holds for every text that may be JSON.
@main enum FuzzTexts {
  static func main() {
    fuzz { FuzzTexts.take(Array(UnsafeBufferPointer(start: $0, count: $1))) }
  }

  private static func take(_ input: [UInt8]) -> CInt {
    if let json = try? JSON(parsing: input) { checkReadsBack(json, input) }
    checkIsDecoded(input)
    return 0
  }

  /// What is read and written again is the same.
  private static func checkReadsBack(_ json: JSON, _ input: [UInt8]) {
    let text = Array(json.compactText.utf8)
    // U+0000 is read, but never written.
    check(!containsEscapedNull(text[...]), "a U+0000 is written")
    guard !containsEscapedNull(input[...]) else { return }
    check((try? JSON(parsing: text)) == json, "JSON does not read back")
  }

  /// Whatever it is, it is a message or the reason why not.
  private static func checkIsDecoded(_ input: [UInt8]) {
    switch decode(input) {
    case .single(.invalid(_, let error)):
      check(!error.message.isEmpty, "an error has no message")
    case .single: check((try? JSON(parsing: input)) != nil, "a message is not JSON")
    case .batch(let messages):
      check(!messages.isEmpty, "an empty batch is a batch")
      check((try? JSON(parsing: input)) != nil, "a batch is not JSON")
    }
  }
}
