import JSONRPC
import Testing

/// Tests that the parser accepts the JSON that RFC 8259 defines, up to the limits of the parser.
struct JSONReaderTests {
  // MARK: What is accepted

  @Test(
    arguments: [
      ("null", nil), ("true", true), ("false", false), ("0", 0), ("-0", 0), ("12", 12),
      ("-12", -12), (" \t\r\n7 \t\r\n", 7), (#""a""#, "a"), (#""""#, ""), ("[]", []),
      ("[ ]", []), ("{}", [:]), ("{ }", [:]), ("[1,[2,[]],{}]", [1, [2, []], [:]]),
      (#"{"a":1,"b":{"c":null}}"#, ["a": 1, "b": ["c": nil]]),
      (" [ 1 , 2 ] ", [1, 2]), (#" { "a" : 1 , "b" : 2 } "#, ["a": 1, "b": 2]),
    ] as [(String, JSON)])
  func valuesOfEveryKindAreRead(text: String, expected: JSON) {
    #expect(read(text) == .success(expected))
  }

  @Test func keyOrderIsKept() throws {
    let object = try #require(read(#"{"z":1,"a":2,"m":3}"#).get().objectValue)
    #expect(Array(object.keys) == ["z", "a", "m"])
  }

  @Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e9\u20AC""#, "é€"),
    (#""\ud83d\ude00""#, "😀"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""a\nb\nc""#, "a\nb\nc"),
    (#""\u0001""#, "\u{1}"), ("\"\u{7f}\"", "\u{7f}"), (#""é € 😀 ünïcödé""#, "é € 😀 ünïcödé"),
    (#""\ufeff""#, "\u{feff}"), ("\"\u{ffff}\"", "\u{ffff}"),
  ])
  func stringsAreDecoded(text: String, expected: String) {
    #expect(read(text) == .success(.string(expected)))
  }

  @Test func escapeIsFoundAtEveryByteOfAMachineWord() {
    for count in 0..<40 {
      let plain = String(repeating: "x", count: count)
      #expect(read("\"\(plain)\\n\(plain)\"") == .success(.string("\(plain)\n\(plain)")))
      #expect(read("\"\(plain)é\(plain)\"") == .success(.string("\(plain)é\(plain)")))
      #expect(
        read("\"\(plain)\u{1}\"") == .failure(.init(.controlCharacter, byteOffset: count + 1)))
    }
  }

  @Test(
    arguments: [
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .double(9_223_372_036_854_775_808)),
      ("-9223372036854775809", .double(-9_223_372_036_854_775_808)),
      ("18446744073709551616", .double(18_446_744_073_709_551_616)),
      ("1.0", .double(1)), ("1e2", .double(100)), ("1E+2", .double(100)), ("1e-2", .double(0.01)),
      ("-1.5e3", .double(-1_500)), ("0.1", .double(0.1)), ("0e0", .double(0)),
      ("0e999", .double(0)),
      ("123456789.125", .double(123_456_789.125)), ("5e-324", .double(.leastNonzeroMagnitude)),
      ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)), ("1e-400", .double(0)),
      ("3.141592653589793238462643383279", .double(.pi)), ("1e22", .double(1e22)),
      ("1e23", .double(1e23)), ("9007199254740993.0", .double(9_007_199_254_740_992)),
      ("0.000000000000000000000000000001", .double(1e-30)),
    ] as [(String, JSON)])
  func integersThatFitAreIntegersAndAllElseIsDouble(text: String, expected: JSON) {
    #expect(read(text) == .success(expected))
  }

  @Test func negativeZeroKeepsItsSignAsADouble() throws {
    #expect(try read("-0.0").get().doubleValue?.sign == .minus)
  }

  @Test func keysThatDifferInTheirBytesAreTwoKeys() throws {
    let json = try read("{\"\u{e9}\":1,\"e\u{301}\":2}").get()
    #expect(json["\u{e9}"] == 1)
    #expect(json["e\u{301}"] == 2)
  }

  // MARK: Limits

  @Test func depthUpToTheLimitIsRead() throws {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      let repeated = { (count: Int) in
        String(repeating: open, count: count) + (open == "[" ? "" : "1")
          + String(repeating: close, count: count)
      }
      #expect(refusal(repeated(256)) == nil)
      let offset = 256 * open.utf8.count
      #expect(refusal(repeated(257)) == "more than 256 levels of nesting at byte \(offset)")
    }
  }

  @Test func siblingsDoNotIncreaseTheDepth() {
    let siblings = Array(repeating: "[[]]", count: 1_000).joined(separator: ",")
    #expect(read("[\(siblings)]", limits: JSONLimits(depthMax: 3)).isSuccess)
  }

  @Test func millionBracketsAreRefusedWithoutRecursion() {
    #expect(refusal(String(repeating: "[", count: 1_000_000))?.hasPrefix("more than 256") == true)
  }

  @Test func theDeepestTreeFitsOnASmallStack() {
    let depth = JSONLimits.depthCeiling
    let text =
      String(repeating: #"{"a":[1,"#, count: depth / 2) + "2"
      + String(repeating: "]}", count: depth / 2)
    let isSame = runOnSmallStack {
      let limits = JSONLimits(depthMax: .max)
      guard let first = try? read(text, limits: limits).get(),
        let second = try? read(first.compactText, limits: limits).get()
      else { return false }
      return first == second && first.compactText == text
    }
    #expect(isSame == true)
  }

  @Test func theNumberOfValuesIsLimited() {
    let limits = JSONLimits(valuesMax: 4)
    #expect(read("[1,2,3]", limits: limits) == .success([1, 2, 3]))
    #expect(
      read("[1,2,[3]]", limits: limits)
        == .failure(JSONError(.tooManyValues(valuesMax: 4), byteOffset: 6)))
  }

  @Test func everyKindOfCollectionCanBeRead() throws {
    let bytes = Array("[1]".utf8)
    #expect(try JSON(parsing: bytes) == [1])
    #expect(try JSON(parsing: bytes[...]) == [1])
    #expect(try JSON(parsing: "[1]".utf8) == [1])
    #expect(try JSON(parsing: bytes.lazy.map { $0 }) == [1])
    #expect(try bytes.withUnsafeBytes { try JSON(parsing: $0) } == [1])
    #expect(try bytes.withUnsafeBufferPointer { try JSON(parsing: $0) } == [1])
    #expect(throws: JSONError(.unexpectedEnd, byteOffset: 0)) { try JSON(parsing: []) }
  }
}

extension Result {
  fileprivate var isSuccess: Bool {
    if case .success = self { true } else { false }
  }
}
