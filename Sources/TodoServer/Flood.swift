import JSONRPC

/// Notifications that a benchmark has asked for and that are not encoded yet.
///
/// `bench/flood {n, size}` shows how fast the server can push. Like a rendering it waits for the
/// reader: a piece is encoded when the piece before it has been written.
struct Flood {
  static let method = "bench/flood"
  private static let pieceByteCount = 1 << 16

  private let params: JSON
  private let tickByteCount: Int
  private var remainingCount: Int
  let reply: ReplyAddress

  init(_ request: Request, _ reply: ReplyAddress) throws(RPCError) {
    let params = try Params(request.params)
    let textByteCount = try params.integer("size")
    guard (0...Self.pieceByteCount).contains(textByteCount) else {
      throw .invalidParams("params.size: expected at most \(Self.pieceByteCount)")
    }
    self.params = ["text": .string(String(repeating: "x", count: textByteCount))]
    tickByteCount = textByteCount + 1
    remainingCount = try params.integer("n")
    self.reply = reply
  }

  /// The next piece, empty at the end.
  mutating func nextPiece() -> [Outbox.Item] {
    let count = max(0, min(remainingCount, Self.pieceByteCount / tickByteCount))
    remainingCount -= count
    return Array(repeating: .notification(method: "bench/tick", params: params), count: count)
  }
}

extension Loop {
  func beginFlood(_ request: Request, _ reply: ReplyAddress) throws(RPCError) {
    guard flood == nil else { throw .invalidRequest("a flood is under way") }
    flood = try Flood(request, reply)
  }

  /// Lets the next piece wait, and the answer after the last one.
  func continueFlood() {
    guard var flood else { return }
    let piece = flood.nextPiece()
    for item in piece { outbox.wait(item) }
    self.flood = piece.isEmpty ? nil : flood
    if piece.isEmpty { answer(flood.reply, .json(.null)) }
  }
}
