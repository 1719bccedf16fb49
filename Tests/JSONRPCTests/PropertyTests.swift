import JSONRPC
import Testing

/// Invariants for any input, tested with many random inputs from fixed seeds.
struct PropertyTests {
  @Test(arguments: 0..<200)
  func writtenTreeIsParsedUnchanged(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let json = random.json(depth: 5)
    let text = json.compactText
    #expect(read(text) == .success(json))
    #expect(!text.utf8.contains(0))
    #expect(!text.utf8.contains(UInt8(ascii: "\n")))
    guard case .success(let again) = read(text) else { return }
    #expect(again.compactText == text)
  }

  @Test(arguments: 0..<200)
  func treeWrittenPieceByPieceIsParsedUnchanged(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let json = random.json(depth: 5)
    var writer = JSONWriter()
    writer.pieces(of: json)
    let isMisused = writer.isMisused
    let bytes = writer.finish()
    #expect(!isMisused)
    #expect(String(decoding: bytes, as: UTF8.self) == json.compactText)
  }

  @Test(arguments: 0..<300)
  func anyWriterCallsProduceJSON(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var writer = JSONWriter()
    for number in 0..<60 {
      switch Int.random(in: 0..<9, using: &random) {
      case 0: writer.beginObject()
      case 1: writer.beginArray()
      case 2: writer.endObject()
      case 3: writer.endArray()
      case 4, 5: writer.key("k\(number)")
      case 6: writer.raw([])
      case 7: writer.value(random.json(depth: 1))
      default: writer.string("s")
      }
    }
    let bytes = writer.finish()
    #expect(bytes.isEmpty || (try? JSON(parsing: bytes)) != nil)
  }

  @Test(arguments: 0..<300)
  func anyBytesAreParsedOrRefusedWithAnOffset(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = random.bytes(count: Int.random(in: 0..<80, using: &random))
    switch read(bytes) {
    case .success(let json): #expect(read(json.compactText) == .success(json))
    case .failure(let error): #expect((0...bytes.count).contains(error.byteOffset))
    }
  }

  /// Damaged JSON is parsed or refused. It gets further into the parser than random bytes.
  @Test(arguments: 0..<500)
  func damagedJSONIsParsedOrRefused(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes = Array(random.json(depth: 4).compactText.utf8)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      random.damage(&bytes)
    }
    switch read(bytes) {
    case .success(let json): #expect(read(json.compactText) == .success(json))
    case .failure(let error): #expect((0...bytes.count).contains(error.byteOffset))
    }
    _ = decode(bytes)
  }

  @Test(arguments: 0..<300)
  func eventsDoNotDependOnHowAStreamIsSplit(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limits = FrameLimits(frameBytesMax: 40, headerBytesMax: 60)
    let stream = random.stream()
    let whole = events(in: [stream[...]], limits: limits)
    for _ in 0..<5 {
      var pieces: [ArraySlice<UInt8>] = []
      var rest = stream[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...20, using: &random))
        pieces.append(piece)
        rest = rest.dropFirst(piece.count)
      }
      #expect(events(in: pieces, limits: limits) == whole)
    }
    #expect(events(in: stream, cutEvery: 1, limits: limits) == whole)
  }

  @Test(arguments: 0..<80)
  func parserResynchronizesAfterAnyBytes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let garbage = random.stream()
    var stream = Array("X: y\r\n\r\n".utf8) + garbage
    // As many bytes as any length in the invalid bytes can announce.
    stream += Array(String(repeating: "\r\n\r\n", count: 2_500).utf8)
    stream += Array(framed("[\"found\"]").utf8)
    let limits = FrameLimits(frameBytesMax: 40, headerBytesMax: 60)
    let last = events(in: [stream[...]], limits: limits).last
    #expect(last.map(Seen.init) == .frame("[\"found\"]"))
  }
}

extension JSONWriter {
  fileprivate mutating func pieces(of json: JSON) {
    switch json {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .double(let value): double(value)
    case .string(let value): string(value)
    case .array(let elements):
      array { writer in
        for element in elements { writer.pieces(of: element) }
      }
    case .object(let object):
      beginObject()
      for member in object.members {
        key(member.key)
        pieces(of: member.value)
      }
      endObject()
    }
  }
}
