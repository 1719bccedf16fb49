import JSONRPC

/// An event in a simple form: frames as text, errors by their code.
enum Seen: Equatable, Sendable {
  case frame(String)
  case problem(Int)
  case fatal(Int)

  init(_ event: FrameEvent) {
    switch event {
    case .frame(let body): self = .frame(String(decoding: body, as: UTF8.self))
    case .problem(let error): self = .problem(error.code)
    case .fatal(let error): self = .fatal(error.code)
    }
  }
}

/// A frame with headers.
func framed(_ body: String) -> String {
  "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
}

/// Returns all events in a stream that arrives in one piece and then ends.
///
/// The stream is parsed again byte by byte and in pieces of a few bytes, which must yield the same
/// events. If they do not, the result ends with `.fatal(0)`.
func events(in stream: String, limits: FrameLimits = .standard) -> [Seen] {
  let bytes = Array(stream.utf8)
  let whole = events(in: bytes, cutEvery: max(bytes.count, 1), limits: limits)
  let isSameInPieces = [1, 2, 3, 7].allSatisfy {
    events(in: bytes, cutEvery: $0, limits: limits) == whole
  }
  return whole.map(Seen.init) + (isSameInPieces ? [] : [.fatal(0)])
}

func events(in bytes: [UInt8], cutEvery byteCount: Int, limits: FrameLimits) -> [FrameEvent] {
  let pieces = stride(from: 0, to: bytes.count, by: byteCount).map {
    bytes[$0..<min($0 + byteCount, bytes.count)]
  }
  return events(in: pieces, limits: limits)
}

func events(in pieces: [ArraySlice<UInt8>], limits: FrameLimits) -> [FrameEvent] {
  var parser = FrameParser(limits: limits)
  var events: [FrameEvent] = []
  for piece in pieces {
    parser.append(piece)
    while let event = parser.next() {
      events.append(event)
    }
  }
  while let event = parser.finish() {
    events.append(event)
  }
  return events
}
