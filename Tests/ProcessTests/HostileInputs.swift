import Testing

/// Input that no front-end should send, and its responses.
///
/// A response is written as its error code or `ok`, followed by its id as JSON. The responses to a
/// batch are in brackets.
struct HostileInput: Sendable, CustomTestStringConvertible {
  var bytes: [UInt8]
  var answers: [String]

  init(_ bytes: [UInt8], _ answers: [String]) {
    self.bytes = bytes
    self.answers = answers
  }

  init(_ text: String, _ answers: String...) { self.init(Array(text.utf8), answers) }

  var testDescription: String { String(decoding: bytes.prefix(60), as: UTF8.self).debugDescription }
}

// MARK: Bytes that are not JSON

extension HostileInput {
  /// Texts that are not JSON, each as the body of a frame. The response is -32700 with the id null.
  static let noJSON: [[UInt8]] =
    noJSONTexts.map { Array($0.utf8) } + noUTF8 + [
      Array(repeating: UInt8(ascii: "["), count: 257)
        + Array(repeating: UInt8(ascii: "]"), count: 257),
      Array(repeating: UInt8(ascii: "["), count: 100_000),
      Array(String(repeating: #"{"a":"#, count: 20_000).utf8),
      Array(String(repeating: #"[{"a":"#, count: 10_000).utf8),
      Array(String(repeating: "9", count: 2_000).utf8),
      Array(("0." + String(repeating: "0", count: 2_000) + "1").utf8),
    ]

  private static let noJSONTexts = [
    // Brackets, commas and colons.
    "{", "}", "[", "]", "{]", "[}", ",", ":", #"{"a":1,}"#, "[1,]", "[,1]", "[1,,2]", "{,}",
    #"{"a"}"#, #"{"a":}"#, #"{"a" 1}"#, #"{"a"::1}"#, #"{"a":1 "b":2}"#, "[1 2]", "[1:2]",
    #"{1:2}"#, "{a:1}", "{'a':1}", #"{"a":1}{"b":2}"#, "[1] 2", "{} x", "[]]", "{}}",
    // Words.
    "nul", "nulll", "True", "FALSE", "undefined", "NaN", "Infinity", "-Infinity", "x",
    // Numbers.
    "-", "+1", "01", "-01", "00", "1.", ".5", "-.5", "1e", "1e+", "1.e1", "0x10", "1_000",
    "--1", "1-2", "１",
    // Comments, and characters that are not JSON whitespace.
    "// c", "/* c */ 1", "1 # c", "\u{c}1", "\u{b}1", "\u{a0}1", "\u{feff}1", "\u{2028}1",
    // Strings.
    #"""#, #""abc"#, #""\""#, #""\x41""#, #""\u""#, #""\u12""#, #""\u12G4""#, #""\U0041""#,
    #""\'""#, "\"\t\"", "\"\u{0}\"", "\"\u{1f}\"", "'abc'",
    #""\ud800""#, #""\udc00""#, #""\udc00\ud800""#, #""\ud800\ud800""#, #""\ud83cx""#,
    // Duplicate keys, also in different spellings.
    #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"x":{"k":1,"k":2}}"#,
    #"{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}"#,
    #"{"jsonrpc":"2.0","method":"shutdown","method":"x","id":1}"#,
    #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#,
    #"[{"jsonrpc":"2.0","method":"x","id":1},{"jsonrpc":"2.0","method"]"#,
  ]

  /// Bytes that are not JSON in UTF-8. The last ones contain NUL bytes or begin with a byte order
  /// mark; all others are in quotation marks.
  private static let noUTF8: [[UInt8]] =
    [
      [0xff], [0xfe], [0x80], [0xbf], [0xc0, 0xaf], [0xc1, 0xbf], [0xe0, 0x80, 0xaf],
      [0xe0, 0x9f, 0xbf], [0xf0, 0x80, 0x80, 0xaf], [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf],
      [0xed, 0xa0, 0xbc, 0xed, 0xbc, 0xb1], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80],
      [0xf8, 0x88, 0x80, 0x80, 0x80], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x8c], [0xc3, 0x28],
      [0xe2, 0x28, 0xa1], [0xc3, 0xa9, 0x80],
    ].map { [0x22] + $0 + [0x22] } + [
      [0xef, 0xbb, 0xbf, 0x7b, 0x7d],
      [0x7b, 0x00, 0x7d, 0x00],
      [0x00, 0x7b, 0x00, 0x7d],
      [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00],
      [0x00], [0x7b, 0x7d, 0x00],
    ]
}

// MARK: JSON that is not a request

extension HostileInput {
  /// JSON that is not a valid request, each as the body of a frame to a server with a logged-in
  /// user.
  static let messages: [HostileInput] =
    noMessages + ids.map { HostileInput(request(id: $0.id), "-32601 \($0.answered)") }
    + badIDs.map { HostileInput(request(id: $0), "-32600 null") } + batches + silent

  private static func request(id: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"no/such"}"#
  }

  private static let noMessages = [
    HostileInput("1", "-32600 null"), HostileInput("-1.5e3", "-32600 null"),
    HostileInput(#""x""#, "-32600 null"), HostileInput("null", "-32600 null"),
    HostileInput("true", "-32600 null"), HostileInput("{}", "-32600 null"),
    HostileInput("1e400", "-32600 null"), HostileInput("-1e400", "-32600 null"),
    HostileInput(#"{"jsonrpc":"2.0"}"#, "-32600 null"),
    HostileInput(#"{"id":7,"method":"no/such"}"#, "-32600 7"),
    HostileInput(#"{"jsonrpc":2.0,"id":7,"method":"no/such"}"#, "-32600 7"),
    HostileInput(#"{"jsonrpc":"1.0","id":7,"method":"no/such"}"#, "-32600 7"),
    HostileInput(#"{"jsonrpc":null,"id":7,"method":"no/such"}"#, "-32600 7"),
    HostileInput(#"{"JSONRPC":"2.0","id":7,"method":"no/such"}"#, "-32600 7"),
    HostileInput(#"{"jsonrpc":"2.0","id":7}"#, "-32600 7"),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"method":null}"#, "-32600 7"),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"method":1}"#, "-32600 7"),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"method":["x"]}"#, "-32600 7"),
    HostileInput(#"{"jsonrpc":"2.0","method":1,"params":"bar"}"#, "-32600 null"),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"method":"no/such","params":1}"#, "-32600 7"),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"method":"no/such","params":"x"}"#, "-32600 7"),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"method":"no/such","params":true}"#, "-32600 7"),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"method":""}"#, "-32601 7"),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"method":"\u0000"}"#, "-32601 7"),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"method":"Initialize"}"#, "-32601 7"),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"method":" login"}"#, "-32601 7"),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"method":"rpc.discover"}"#, "-32601 7"),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"method":"$/no/such"}"#, "-32601 7"),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"method":"$/cancelRequest"}"#, "-32601 7"),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"method":"exit"}"#, "-32601 7"),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"method":"initialize"}"#, "-32600 7"),
    HostileInput(#"{"json\u0072pc":"2.0","\u0069d":7,"method":"no\/such"}"#, "-32601 7"),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"method":"no/such","x":{"id":8}}"#, "-32601 7"),
    HostileInput(
      #"{"jsonrpc":"2.0","id":7,"method":"\#(String(repeating: "m", count: 90_000))"}"#,
      "-32601 7"),
    HostileInput(
      #"{"jsonrpc":"2.0","id":7,"method":"no/such","params":"#
        + String(repeating: "[", count: 255) + String(repeating: "]", count: 255) + "}", "-32601 7"),
  ]

  private static let ids: [(id: String, answered: String)] = [
    ("0", "0"), ("-0", "0"), ("-1", "-1"), ("9007199254740993", "9007199254740993"),
    ("9223372036854775807", "9223372036854775807"),
    ("-9223372036854775808", "-9223372036854775808"), (#""7""#, #""7""#), (#""""#, #""""#),
    (#""null""#, #""null""#), (#""\ud83c\udf31""#, #""🌱""#), (#""e\u0301""#, "\"e\u{301}\""),
    (#""\u00e9""#, #""é""#), (#""\"\\\/""#, #""\"\\/""#),
  ]

  private static let badIDs = [
    "null", "true", "1.5", "1.0", "1e2", "9223372036854775808", "-9223372036854775809", "[]", "[7]",
    "{}", #"{"id":7}"#, #""\u0000""#, #""a\u0000b""#,
  ]

  private static let batches = [
    HostileInput("[]", "-32600 null"), HostileInput("[1]", "[-32600 null]"),
    HostileInput("[[]]", "[-32600 null]"), HostileInput("[null,{}]", "[-32600 null,-32600 null]"),
    HostileInput("[1,2,3]", "[-32600 null,-32600 null,-32600 null]"),
    HostileInput("[\(request(id: "7"))]", "[-32601 7]"),
    HostileInput("[[\(request(id: "7"))]]", "[-32600 null]"),
    HostileInput(#"[{"jsonrpc":"2.0","method":"no/such"},3]"#, "[-32600 null]"),
    HostileInput("[" + String(repeating: "1,", count: 4_096) + "1]", "-32600 null"),
  ]

  /// Messages that get no response.
  private static let silent = [
    HostileInput(#"{"jsonrpc":"2.0","method":"no/such"}"#),
    HostileInput(#"{"jsonrpc":"2.0","method":"\u0000","params":["\u0000"]}"#),
    HostileInput(#"[{"jsonrpc":"2.0","method":"no/such"},{"jsonrpc":"2.0","method":"$/x"}]"#),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"result":null}"#),
    HostileInput(#"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}"#),
    HostileInput(#"{"jsonrpc":"2.0","id":{},"error":1}"#),
    HostileInput(#"[{"jsonrpc":"2.0","id":7,"result":1}]"#),
    HostileInput(#"{"jsonrpc":"2.0","method":"$/cancelRequest"}"#),
    HostileInput(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{}}}"#),
    HostileInput(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":123456}}"#),
    HostileInput(#"{"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"loud"}}"#),
    HostileInput(#"{"jsonrpc":"2.0","method":"initialize"}"#),
    HostileInput(#"{"jsonrpc":"2.0","method":"initialized","params":[1]}"#),
    HostileInput(#"{"jsonrpc":"2.0","method":"login","params":{"name":7}}"#),
    HostileInput(#"{"jsonrpc":"2.0","method":"screen/act","params":{"screen":"\u0000"}}"#),
  ]
}
