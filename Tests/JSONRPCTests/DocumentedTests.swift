import JSONRPC
import System
import Testing

/// The examples in the documentation of `JSONRPC`, verbatim. `DocumentationTests` compares them
/// with the comments.
@Suite struct DocumentedTests {
  @Test func connection() {
    let bytes = Array(#"{"jsonrpc":"2.0","id":1,"method":"hello"}"#.utf8) + [0x0A]
    let written = Written()
    func write(_ output: Int, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
      written.bytes += UnsafeRawBufferPointer(start: start, count: count)
      return count
    }
    let output = 1
    var connection = JSONRPCConnection<JSON>()
    connection.receive(bytes)
    while let arrival = connection.next() {
      guard case .call(let call) = arrival else { continue }
      connection.answer(call.address, ["echo": .string(call.method)])
    }
    connection.encode { answer, id, writer in writer.response(id: id, result: answer) }
    let count = connection.withPendingBytes { write(output, $0.baseAddress, $0.count) }
    connection.didWrite(max(0, count))
    #expect(
      String(decoding: written.bytes, as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":1,"result":{"echo":"hello"}}"# + "\n")
    let isWritten = connection.isWritten
    #expect(isWritten)
  }

  private final class Written { var bytes: [UInt8] = [] }

  @Test func frameParser() {
    let bytes = Array("[1]\n[2]".utf8)
    var found: [FrameEvent] = []
    func handle(_ event: FrameEvent) { found.append(event) }
    var parser = FrameParser()
    parser.append(bytes)
    while let event = parser.next() { handle(event) }
    // And when the input has ended:
    while let event = parser.finish() { handle(event) }
    #expect(found == [.frame(Array("[1]".utf8)[...]), .frame(Array("[2]".utf8)[...])])
  }

  @Test func frameWriter() {
    var output: [UInt8] = []
    let frames = FrameWriter(framing: .headers)
    frames.append(to: &output) { writer in
      writer.response(id: 1, result: ["ok": true])
    }
    #expect(
      String(decoding: output, as: UTF8.self)
        == "Content-Length: 45\r\n\r\n" + #"{"jsonrpc":"2.0","id":1,"result":{"ok":true}}"#)
  }

  @Test func json() throws {
    var printed: [String] = []
    func print(_ value: Any) { printed.append("\(value)") }
    let json = try JSON(parsing: Array(#"{"id": 7, "tags": ["a"]}"#.utf8))
    print(json["id"]?.integerValue ?? 0)  // 7
    print(json["tags"]?[0]?.stringValue ?? "")  // a
    #expect(printed == ["7", "a"])
  }

  @Test func jsonObject() {
    var printed: [String] = []
    func print(_ value: Any) { printed.append("\(value)") }
    var object: JSONObject = ["title": "Buy milk"]
    object["done"] = false
    object["title"] = nil  // removes the member
    print(object.members)  // [(key: "done", value: false)]
    #expect(printed == [#"[(key: "done", value: false)]"#])
  }

  @Test func jsonWriter() {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("total")
      writer.integer(2)
      writer.key("items")
      writer.array { writer in
        writer.string("a")
        writer.string("b")
      }
    }
    let bytes = writer.finish()  // {"total":2,"items":["a","b"]}
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"total":2,"items":["a","b"]}"#)
  }

  @Test func decoding() {
    var refused: [RequestID?] = []
    func answer(_ request: Request) {}
    func refuse(_ id: RequestID?, _ error: RPCError) { refused.append(id) }
    let frame = Array(#"{"jsonrpc":"2.0","id":3,"method":4}"#.utf8)[...]
    switch decode(frame) {
    case .single(.request(let request)): answer(request)
    case .single(.invalid(let id, let error)): refuse(id, error)
    case .single, .batch: break
    }
    #expect(refused == [3])
  }

  @Test func params() throws {
    let bytes = Array(
      #"{"jsonrpc":"2.0","method":"m","params":{"title":"a","todo":{"note":1}}}"#.utf8)
    var connection = JSONRPCConnection<JSON>()
    connection.receive(bytes + [0x0A])
    guard case .call(let call)? = connection.next() else {
      Issue.record("no call came")
      return
    }
    let params = try Params(call.params)
    let title = try params.string("title")
    let limit = try params.optionalInteger("limit") ?? 50
    let todo = try params.object("todo")  // its errors name "params.todo.note", for example
    #expect(title == "a" && limit == 50)
    #expect(throws: RPCError.invalidParams("params.todo.note: expected string, got number")) {
      try todo.string("note")
    }
  }
}
