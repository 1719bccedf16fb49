import JSONRPC
import Testing

/// Tests that a `JSONWriter` writes compact JSON, in the order in which its methods are called.
struct JSONWriterTests {
  // MARK: Trees

  @Test(
    arguments: [
      (nil, "null"), (true, "true"), (false, "false"), (0, "0"), (-7, "-7"),
      (.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"),
      ("", #""""#), ([], "[]"), ([:], "{}"), ([1, [nil, "a"]], #"[1,[null,"a"]]"#),
      (["z": 1, "a": ["b": [:]]], #"{"z":1,"a":{"b":{}}}"#),
    ] as [(JSON, String)])
  func valuesOfEveryKindAreWrittenCompactly(json: JSON, expected: String) {
    #expect(json.compactText == expected)
    #expect(json.description == expected)
  }

  @Test(
    arguments: [
      (0.1, "0.1"), (1.0, "1.0"), (-0.0, "-0.0"), (1e16, "1e+16"), (1.0 / 3, "0.3333333333333333"),
      (.leastNonzeroMagnitude, "5e-324"), (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
      (100, "100.0"),
    ] as [(Double, String)])
  func doublesAreWrittenWithTheFewestDigitsThatReadBack(value: Double, expected: String) {
    #expect(JSON.double(value).compactText == expected)
    #expect(read(expected) == .success(.double(value)))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func nonFiniteDoubleIsWrittenAsNull(value: Double) {
    #expect(JSON.double(value).compactText == "null")
    #expect(written { $0.double(value) } == "null")
  }

  @Test(arguments: [
    ("\"", #"\""#), ("\\", #"\\"#), ("/", "/"), ("\u{8}\t\n\u{c}\r", #"\b\t\n\f\r"#),
    ("\u{1}\u{1f}", #"\u0001\u001f"#), ("\u{7f}", "\u{7f}"), ("é€😀", "é€😀"), ("a\nb", #"a\nb"#),
    ("\u{2028}", "\u{2028}"), ("</script>", "</script>"), ("\u{b}\u{e}", #"\u000b\u000e"#),
  ])
  func onlyRequiredCharactersAreEscaped(text: String, expected: String) {
    #expect(JSON.string(text).compactText == "\"\(expected)\"")
    #expect(JSON.object([text: nil]).compactText == "{\"\(expected)\":null}")
  }

  @Test func u0000BecomesAReplacementCharacter() {
    #expect(JSON.string("a\u{0}b").compactText == "\"a\u{FFFD}b\"")
    #expect(JSON.object(["\u{0}": 1]).compactText == "{\"\u{FFFD}\":1}")
  }

  @Test func aNumberOfAnyLengthIsWrittenWithAllOfItsDigits() {
    var power: Int64 = 1
    for _ in 0..<18 {
      power *= 10
      for number in [power - 1, power, power + 1, -power, 1 - power] {
        #expect(JSON.integer(number).compactText == String(number))
      }
    }
  }

  @Test func escapeIsWrittenAtEveryByteOfAMachineWord() {
    for count in 0..<40 {
      let plain = String(repeating: "x", count: count)
      #expect(JSON.string("\(plain)\n\"\(plain)").compactText == "\"\(plain)\\n\\\"\(plain)\"")
    }
  }

  @Test func writingAppends() {
    var buffer = Array("before ".utf8)
    JSON.array([1]).write(to: &buffer)
    #expect(String(decoding: buffer, as: UTF8.self) == "before [1]")
  }

  // MARK: Piece by piece

  @Test func piecesMakeTheSameTextAsATree() {
    let text = written { writer in
      writer.beginObject()
      writer.key("a\n")
      writer.beginArray()
      writer.null()
      writer.bool(true)
      writer.integer(-1)
      writer.double(0.5)
      writer.string("s\"")
      writer.value(["x": [1]])
      writer.raw(Array("[2]".utf8))
      writer.object { _ in }
      writer.array { $0.array { $0.integer(3) } }
      writer.endArray()
      writer.key("b")
      writer.bool(false)
      writer.endObject()
    }
    #expect(
      text == #"{"a\n":[null,true,-1,0.5,"s\"",{"x":[1]},[2],{},[[3]]],"b":false}"#)
  }

  @Test func writerAppendsToABuffer() {
    var writer = JSONWriter(appendingTo: Array("x".utf8))
    writer.integer(1)
    let (bytes, isMisused) = (writer.bytes, writer.isMisused)
    #expect(bytes == Array("x1".utf8))
    #expect(!isMisused)
    let finished = writer.finish()
    #expect(finished == bytes)
  }

  @Test func unusedWriterWritesNoBytes() {
    #expect(written { _ in } == "")
  }

  @Test func manyOpenContainersAreAllClosed() {
    let depth = 1_000
    let text = written { writer in
      for level in 0..<depth {
        if level.isMultiple(of: 3) {
          writer.beginObject()
          writer.key("k")
        } else {
          writer.beginArray()
        }
      }
      writer.null()
      for level in (0..<depth).reversed() {
        if level.isMultiple(of: 3) {
          writer.endObject()
        } else {
          writer.endArray()
        }
      }
    }
    let isObject = (0..<depth).map { $0.isMultiple(of: 3) }
    let opening = isObject.map { $0 ? #"{"k":"# : "[" }.joined()
    let closing = isObject.reversed().map { $0 ? "}" : "]" }.joined()
    #expect(text == opening + "null" + closing)
  }

  // MARK: Misuse

  @Test func invalidCallIsIgnoredAndTheOutputIsJSON() {
    checkMisuse("1") {
      $0.integer(1)
      $0.integer(2)
    }
    checkMisuse("2") {
      $0.key("a")
      $0.integer(2)
    }
    checkMisuse("null") {
      $0.null()
      $0.object {
        $0.key("a")
        $0.null()
      }
    }
    checkMisuse("[1]") {
      $0.array {
        $0.key("a")
        $0.integer(1)
      }
    }
    checkMisuse("{}") { $0.object { $0.integer(1) } }
    checkMisuse("{}") { $0.object { $0.array { $0.object { _ in } } } }
    checkMisuse(#"{"a":1}"#) {
      $0.object {
        $0.key("a")
        $0.key("b")
        $0.integer(1)
      }
    }
  }

  @Test func invalidContainerIsIgnoredWithItsContents() {
    checkMisuse(#"{"b":1}"#) { writer in
      writer.object { writer in
        writer.object {
          $0.key("a")
          $0.array { $0.null() }
        }
        writer.key("b")
        writer.integer(1)
      }
    }
  }

  @Test func aKeyWithoutAValueGetsNull() {
    checkMisuse(#"{"a":null}"#) { $0.object { $0.key("a") } }
  }

  @Test func mismatchedEndIsIgnoredAndAMissingOneIsAdded() {
    checkMisuse("null") {
      $0.endArray()
      $0.endObject()
      $0.null()
    }
    checkMisuse("[1]") {
      $0.beginArray()
      $0.endObject()
      $0.integer(1)
    }
    checkMisuse(#"[{"a":null}]"#) {
      $0.beginArray()
      $0.beginObject()
      $0.key("a")
    }
  }

  @Test func emptyRawBytesAreNull() {
    checkMisuse("[null]") { $0.array { $0.raw([]) } }
  }

  @Test func misuseIsRecorded() {
    var writer = JSONWriter()
    writer.object {
      $0.key("a")
      $0.null()
    }
    let wasMisused = writer.isMisused
    writer.null()
    let isMisused = writer.isMisused
    #expect(!wasMisused && isMisused)
  }
}

private func written(_ encode: (inout JSONWriter) -> Void) -> String {
  var buffer: [UInt8] = []
  JSONWriter.write(to: &buffer, encode)
  return String(decoding: buffer, as: UTF8.self)
}

private func checkMisuse(
  _ expected: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ encode: (inout JSONWriter) -> Void
) {
  #expect(written(encode) == expected, sourceLocation: sourceLocation)
}
