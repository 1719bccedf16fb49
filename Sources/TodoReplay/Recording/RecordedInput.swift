import JSONRPC
import TodoServer

/// The input of a front-end, split into pieces for the transcript. Each piece is one message, or
/// bytes that are not a message.
struct RecordedInput {
  /// Bytes of the input, and their lines in the transcript.
  struct Piece {
    var bytes: [UInt8]
    var lines: [String]
  }

  /// The maximum size of a piece that is not a message, in bytes. A larger piece is omitted from
  /// the transcript.
  private static let bytesMax = 1 << 16

  private var parser: FrameParser
  /// The bytes that are not in a piece yet.
  private var raw: [UInt8] = []
  /// Whether bytes of an invalid frame may precede the next frame.
  private var isAfterProblem = false

  /// The framing of the input; `nil` before the first input.
  var framing: Framing? { parser.framing }

  init(limits: FrameLimits) { parser = FrameParser(limits: limits) }

  mutating func append(_ bytes: [UInt8]) {
    raw += bytes
    parser.append(bytes)
  }

  /// Returns the next pieces; `nil` if more input is needed. Process the pieces before the next
  /// call, because processing may reveal a secret that must be redacted in later input.
  mutating func next(_ redaction: inout Redaction) -> [Piece]? {
    parser.next().map { handle($0, &redaction) }
  }

  /// Returns the remaining pieces at the end of the input; `nil` if there are none.
  mutating func nextAtEnd(_ redaction: inout Redaction) -> [Piece]? {
    guard let event = parser.finish() else { return nil }
    if case .frame = event, parser.framing == .lines, raw.last != UInt8(ascii: "\n") {
      raw.append(UInt8(ascii: "\n"))
    }
    return handle(event, &redaction)
  }

  private mutating func handle(_ event: FrameEvent, _ redaction: inout Redaction) -> [Piece] {
    let count = raw.count - parser.bufferedByteCount
    let taken = Array(raw.prefix(count))
    raw.removeFirst(count)
    guard case .frame(let body) = event else {
      isAfterProblem = true
      return [piece(bytes: taken)]
    }
    // The bytes that the parser has skipped precede the frame.
    let skipped = isAfterProblem ? taken.dropLast(frameBytes(of: body, in: taken)) : []
    isAfterProblem = false
    let frame = Array(taken.dropFirst(skipped.count))
    let before = skipped.isEmpty ? [] : [piece(bytes: Array(skipped))]
    return before + [piece(frame, body, &redaction)]
  }

  /// Returns the size of the frame at the end of `taken`, in bytes. The bytes before the frame were
  /// skipped by the parser.
  private func frameBytes(of body: ArraySlice<UInt8>, in taken: [UInt8]) -> Int {
    guard parser.framing == .headers else { return min(taken.count, body.count + 1) }
    let head = String(decoding: taken.dropLast(body.count), as: UTF8.self).lowercased()
    guard let start = head.ranges(of: "content-length").last?.lowerBound else {
      return taken.count
    }
    return body.count + head.utf8.distance(from: start, to: head.endIndex)
  }

  private func piece(
    _ frame: [UInt8], _ body: ArraySlice<UInt8>, _ redaction: inout Redaction
  ) -> Piece {
    guard let json = try? JSON(parsing: body) else { return piece(bytes: frame) }
    let shown = redaction.message(json).withStoreInMemory
    guard json.hasVersionEverywhere, !json.hasNull else {
      return Piece(bytes: frame, lines: ["~~> body \(JSON.string(text(of: shown)).compactText)"])
    }
    return Piece(
      bytes: frame, lines: TranscriptJSON.lines(shown.removingVersion, after: "-->"))
  }

  private func text(of json: JSON) -> String {
    // The JSON writer replaces U+0000, but the parser accepts its escape.
    json.mapTexts { $0.replacing("\u{0}", with: Self.mark) }.compactText
      .replacing(Self.mark, with: "\\u0000")
  }

  /// A noncharacter, as a placeholder for U+0000.
  private static let mark = "\u{10FFFE}"

  private func piece(bytes: [UInt8]) -> Piece {
    guard bytes.count <= Self.bytesMax else {
      return Piece(bytes: bytes, lines: ["# \(bytes.count) bytes that are not a message"])
    }
    let masked = MaskedBytes(bytes, hasHeaders: parser.framing != .lines).bytes
    guard let text = String(validating: masked, as: UTF8.self) else {
      let digits = masked.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      return Piece(bytes: bytes, lines: ["~~> hex \(digits)"])
    }
    return Piece(bytes: bytes, lines: ["~~> bytes \(JSON.string(text).compactText)"])
  }
}

extension JSON {
  /// Whether a string in the value contains U+0000.
  fileprivate var hasNull: Bool {
    switch self {
    case .string(let text): text.utf8.contains(0)
    case .array(let elements): elements.contains(where: \.hasNull)
    case .object(let object):
      object.members.contains { $0.key.utf8.contains(0) || $0.value.hasNull }
    case .null, .bool, .integer, .double: false
    }
  }

  /// Returns the value with mapped strings. The names of members stay unchanged.
  func mapTexts(_ map: (String) -> String) -> JSON {
    switch self {
    case .string(let text): .string(map(text))
    case .array(let elements): .array(elements.map { $0.mapTexts(map) })
    case .object(let object): .object(JSONObject(object.members.map { ($0, $1.mapTexts(map)) }))
    case .null, .bool, .integer, .double: self
    }
  }

  /// Whether the message, or each message in a batch, has the member `jsonrpc` with the value
  /// `2.0`. Transcripts omit this member.
  fileprivate var hasVersionEverywhere: Bool {
    switch self {
    case .object(let object): object["jsonrpc"] == "2.0"
    case .array(let elements): elements.allSatisfy(\.hasVersionEverywhere)
    case .null, .bool, .integer, .double, .string: true
    }
  }

  /// The message, changed so that it requests a store in memory instead of a file: a replay does
  /// not access the disk.
  fileprivate var withStoreInMemory: JSON {
    guard case .object(var object) = self, case .object(var params)? = object["params"],
      case .object(var options)? = params["initializationOptions"],
      options["store"]?.stringValue?.hasPrefix("sqlite") == true
    else { return self }
    options["store"] = "memory"
    params["initializationOptions"] = .object(options)
    object["params"] = .object(params)
    return .object(object)
  }
}
