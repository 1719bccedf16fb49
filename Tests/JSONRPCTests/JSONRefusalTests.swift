import JSONRPC
import Testing

/// Invalid JSON is refused with the offset of the first invalid byte.
struct JSONRefusalTests {
  @Test(arguments: [
    ("", "unexpected end of input at byte 0"), ("  ", "unexpected end of input at byte 2"),
    ("[1", "unexpected end of input at byte 2"), ("[1,", "unexpected end of input at byte 3"),
    (#"{"a""#, "unexpected end of input at byte 4"), ("tru", "unexpected end of input at byte 3"),
    (#"{"a":"#, "unexpected end of input at byte 5"), ("-", "unexpected end of input at byte 1"),
    (#"["abc"#, "unterminated string at byte 1"), (#""a\"#, "unexpected end of input at byte 3"),
    (#""a\""#, "unterminated string at byte 0"), (#"{"a":1,"#, "unexpected end of input at byte 7"),
  ])
  func inputThatEndsEarly(text: String, message: String) {
    #expect(refusal(text) == message)
  }

  @Test(arguments: [
    ("[1,]", "trailing comma at byte 2"), ("[1 , ]", "trailing comma at byte 3"),
    (#"{"a":1,}"#, "trailing comma at byte 6"), ("[,]", "expected a value at byte 1"),
    ("[1,,2]", "expected a value at byte 3"),
    (#"{,}"#, "expected a key in double quotes at byte 1"),
  ])
  func commasWithoutAValue(text: String, message: String) {
    #expect(refusal(text) == message)
  }

  @Test(arguments: [
    ("{} {}", "something after the end of the value at byte 3"),
    ("1 x", "something after the end of the value at byte 2"),
    ("nullx", "something after the end of the value at byte 4"),
    ("[1]]", "something after the end of the value at byte 3"),
    ("1\u{0}", "something after the end of the value at byte 1"),
  ])
  func textAfterTheValueIsRefused(text: String, message: String) {
    #expect(refusal(text) == message)
  }

  @Test(arguments: [
    ("[1 2]", "expected a comma or ] at byte 3"), (#"{"a" 1}"#, "expected a colon at byte 5"),
    (#"{"a":1 "b":2}"#, "expected a comma or } at byte 7"),
    ("[1}", "expected a comma or ] at byte 2"),
    ("{a:1}", "expected a key in double quotes at byte 1"),
    ("{'a':1}", "expected a key in double quotes at byte 1"),
    ("{1:2}", "expected a key in double quotes at byte 1"), ("'a'", "expected a value at byte 0"),
    ("NaN", "expected a value at byte 0"), ("Infinity", "expected a value at byte 0"),
    ("True", "expected a value at byte 0"), ("nul1", "expected a value at byte 0"),
    ("/* */ 1", "expected a value at byte 0"), ("\u{a0}1", "expected a value at byte 0"),
    ("\u{c}1", "expected a value at byte 0"), ("[\u{0}]", "expected a value at byte 1"),
  ])
  func unexpectedCharacterIsNamed(text: String, message: String) {
    #expect(refusal(text) == message)
  }

  @Test(arguments: [
    ("01", "number with a leading zero at byte 0"), ("-01", "number with a leading zero at byte 1"),
    ("00", "number with a leading zero at byte 0"), ("+1", "invalid number at byte 0"),
    (".5", "invalid number at byte 0"), ("1. ", "invalid number at byte 2"),
    ("1.e1", "invalid number at byte 2"), ("1e ", "invalid number at byte 2"),
    ("1e+ ", "invalid number at byte 3"), ("-a", "invalid number at byte 1"),
    ("-Infinity", "invalid number at byte 1"),
    ("0x10", "something after the end of the value at byte 1"),
    ("1.", "unexpected end of input at byte 2"),
    ("1_000", "something after the end of the value at byte 1"),
  ])
  func invalidNumbers(text: String, message: String) {
    #expect(refusal(text) == message)
  }

  @Test(arguments: ["1e400", "-1e400", "1e99999999999999999999", "[1.8e308]"])
  func numbersBeyondADouble(text: String) {
    #expect(refusal(text)?.hasPrefix("number out of range at byte") == true)
  }

  @Test func anIntegerOfFourHundredDigitsIsOutOfRange() {
    #expect(refusal(String(repeating: "9", count: 400)) == "number out of range at byte 0")
  }

  @Test func aNumberMayBeAsLongAsTheLimit() {
    let zeros = String(repeating: "0", count: 1_022)
    #expect(read("1.\(zeros)") == .success(.double(1)))
    #expect(refusal("1.\(zeros)0") == "number of more than 1024 bytes at byte 0")
  }

  @Test(
    arguments: [
      ([0x80], 0), ([0xBF], 0), ([0xC0, 0x80], 0), ([0xC1, 0xBF], 0), ([0xE0, 0x80, 0x80], 0),
      ([0xE0, 0x9F, 0xBF], 0), ([0xED, 0xA0, 0x80], 0), ([0xED, 0xBF, 0xBF], 0),
      ([0xF0, 0x80, 0x80, 0x80], 0), ([0xF4, 0x90, 0x80, 0x80], 0), ([0xF5, 0x80, 0x80, 0x80], 0),
      ([0xFF], 0), ([0xFE], 0), ([0xC3, 0x28], 0), ([0xE2, 0x82], 0), ([0xF0, 0x9F, 0x98], 0),
      ([0xC3, 0xA9, 0xC3], 2), ([0x61, 0xE2, 0x28, 0xA1], 1), ([0xE2, 0x82, 0xAC, 0x80], 3),
      ([0xF8, 0x88, 0x80, 0x80, 0x80], 0),
    ] as [([UInt8], Int)])
  func illFormedUTF8(bytes: [UInt8], offset: Int) {
    for prefixCount in 0..<9 {
      let prefix = Array(repeating: UInt8(ascii: "x"), count: prefixCount)
      let text = [UInt8(ascii: "\"")] + prefix + bytes + [UInt8(ascii: "\"")]
      let expected = JSONError(.invalidUTF8, byteOffset: 1 + prefixCount + offset)
      #expect(read(text) == .failure(expected))
    }
  }

  @Test func utf8ThatIsCutOffByTheEndOfTheInput() {
    #expect(read([0x22, 0xE2, 0x82]) == .failure(JSONError(.invalidUTF8, byteOffset: 1)))
  }

  @Test func utf8IsCheckedInKeysToo() {
    let text: [UInt8] = [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]
    #expect(read(text) == .failure(JSONError(.invalidUTF8, byteOffset: 2)))
  }

  @Test func controlCharactersMustBeEscaped() {
    let plain = Array("0123456789".utf8)
    for byte in UInt8(1)..<0x20 {
      for count in 0..<plain.count {
        let text = [0x22] + plain.prefix(count) + [byte] + plain + [0x22]
        #expect(read(text) == .failure(JSONError(.controlCharacter, byteOffset: count + 1)))
      }
    }
  }

  @Test(arguments: [("\"a\u{0}\"", 2), ("{\"\u{0}\":1}", 2)])
  func u0000MustBeEscaped(text: String, offset: Int) {
    #expect(read(text) == .failure(JSONError(.nullCharacter, byteOffset: offset)))
  }

  @Test(arguments: [
    (#""\ud800""#, 1), (#""\udc00""#, 1), (#""\ud800x""#, 1), (#""\ud800\n""#, 1),
    (#""\ud800\ud800""#, 1), (#""x\udc00\ud800""#, 2), (#""\ud83d\u0041""#, 1),
  ])
  func loneSurrogates(text: String, offset: Int) {
    #expect(read(text) == .failure(JSONError(.loneSurrogate, byteOffset: offset)))
  }

  @Test(arguments: [
    (#""\x41""#, 1), (#""\'""#, 1), (#""\u12""#, 1), (#""\u12g4""#, 1), (#""\U0041""#, 1),
    (#""\u+123""#, 1), ("\"\\\n\"", 1), (#""abc\ ""#, 4), (#""\ud83d\uzzzz""#, 7),
  ])
  func invalidEscapes(text: String, offset: Int) {
    #expect(read(text) == .failure(JSONError(.invalidEscape, byteOffset: offset)))
  }

  @Test(arguments: [
    (#"{"a":1,"a":2}"#, 7), (#"{"":1,"":1}"#, 6), (#"{"a":1,"\u0061":2}"#, 7),
    (#"{"b":{"a":1},"b":1}"#, 13), (#"[{"a":1},{"a":1,"a":1}]"#, 16),
  ])
  func duplicateKeys(text: String, offset: Int) {
    #expect(read(text) == .failure(JSONError(.duplicateKey, byteOffset: offset)))
  }

  @Test(arguments: [2, 15, 16, 17, 18, 19, 100, 1_000])
  func duplicateKeysAreFoundInObjectsOfAnySize(count: Int) {
    let keys = (0..<count).map { "k\($0)" }
    for duplicate in [0, count / 2, count - 1] {
      let members = (keys + [keys[duplicate]]).map { "\"\($0)\":0" }.joined(separator: ",")
      #expect(refusal("{\(members)}")?.hasPrefix("duplicate key") == true)
    }
    #expect(refusal("{\(keys.map { "\"\($0)\":0" }.joined(separator: ","))}") == nil)
  }

  @Test func duplicateOfALateKeyWithAUniqueSignatureIsFound() {
    let keys = (0..<100).map { "k\($0)" } + ["a", "bc", "def"]
    for duplicate in ["k99", "a", "bc", "def"] {
      let members = (keys + [duplicate]).map { "\"\($0)\":0" }.joined(separator: ",")
      #expect(refusal("{\(members)}")?.hasPrefix("duplicate key") == true)
    }
  }

  @Test func sameKeyInTwoObjectsIsAccepted() {
    #expect(read(#"[{"a":1},{"a":{"a":2}}]"#) == .success([["a": 1], ["a": ["a": 2]]]))
  }

  @Test func byteOrderMarkIsRefused() {
    #expect(refusal("\u{feff}{}") == "byte order mark at byte 0")
  }
}
