import JSONRPC

/// Notifications that a benchmark has asked for and that are not encoded yet.
///
/// `bench/flood {n, size}` shows how fast the server can push. Like a rendering it waits for the
/// reader: a piece is encoded when the piece before it has been written.
struct Flood {
  static let method = "bench/flood"
  private static let pieceByteCount = 1 << 16

  let address: ReplyAddress
  private let params: JSON
  private let tickByteCount: Int
  private var remainingCount: Int

  init(_ params: Params, _ address: ReplyAddress) throws(RPCError) {
    let textByteCount = try params.integer("size")
    guard (0...Self.pieceByteCount).contains(textByteCount) else {
      throw .invalidParams("params.size: expected at most \(Self.pieceByteCount)")
    }
    self.params = ["text": .string(String(repeating: "x", count: textByteCount))]
    tickByteCount = textByteCount + 1
    remainingCount = try params.integer("n")
    self.address = address
  }

  /// Says the next piece. False at the end.
  mutating func notifyNext<Answer>(in conversation: inout Conversation<Answer>) -> Bool {
    let count = max(0, min(remainingCount, Self.pieceByteCount / tickByteCount))
    remainingCount -= count
    for _ in 0..<count { conversation.notify("bench/tick", params) }
    return count > 0
  }
}
