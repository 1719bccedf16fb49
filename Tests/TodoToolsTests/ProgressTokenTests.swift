import JSONRPC
import Testing
import TodoTools

struct ProgressTokenTests {
  private func answer(tokenByteCount: Int) throws -> JSON {
    var adapter = MCPAdapter(ToolsOptions(name: "ann", version: "0", hasSource: false))
    let token = String(repeating: "t", count: tokenByteCount)
    let text =
      #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":"\#(token)"}}}"#
    Array((text + "\n").utf8).withUnsafeBytes { adapter.receive($0) }
    while adapter.next() != nil {}
    adapter.encode(answersOver: [], revision: 0)
    return try JSON(parsing: adapter.withPendingBytes { Array($0) })  // words: ok
  }

  @Test func longTokenIsRefusedWithoutAnID() throws {
    #expect(try answer(tokenByteCount: 1_024)["id"] == 1)
    let refused = try answer(tokenByteCount: 1_025)
    #expect(refused["id"] == .null)
    #expect(refused["error"]?["code"] == -32600)
  }
}
