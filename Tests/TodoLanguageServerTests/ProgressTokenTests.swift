import JSONRPC
import Testing
import TodoLanguageServer
import TodoModel

struct ProgressTokenTests {
  private func answer(_ member: String, byteCount: Int) throws -> JSON {
    var adapter = LSPAdapter(
      LanguageOptions(
        list: TodoListKey(profile: "ann", source: ""), version: "0", today: .first))
    let token = String(repeating: "t", count: byteCount)
    let text =
      #"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"\#(member)":"\#(token)"}}"#
    let bytes = Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
    bytes.withUnsafeBytes { adapter.receive($0) }
    while adapter.next() != nil {}
    adapter.encode(answersOver: [], revision: 0)
    var parser = FrameParser()
    parser.append(adapter.withPendingBytes { Array($0) })
    guard case .frame(let body)? = parser.next() else { return .null }
    return try JSON(parsing: body)
  }

  @Test(arguments: ["workDoneToken", "partialResultToken"])
  func longTokenIsRefusedWithoutAnID(member: String) throws {
    #expect(try answer(member, byteCount: 1_024)["id"] == 1)
    let refused = try answer(member, byteCount: 1_025)
    #expect(refused["id"] == .null)
    #expect(refused["error"]?["code"] == -32600)
  }
}
