import JSONRPC
import Swift5
import Swift6
import WorkflowRuntime
import WorkflowTesting
import XCTest

/// Tests the libraries with workflows in Swift 5 and Swift 6 mode, without `import Testing`.
final class ModeTests: XCTestCase {
  func testActions() async {
    Swift6.Lamp.Action.tester(withState: Swift6.Lamp.State())
      .send(action: .toggle)
      .assert(output: .switched(true))
    Swift5.Lamp.Action.tester(withState: Swift5.Lamp.State())
      .send(action: .toggle)
      .assert(output: .switched(true))
    let isOn = await Swift6.LampHolder().toggle()
    XCTAssert(isOn)
  }

  /// Runs the example from the documentation page of the module `JSONRPC`.
  func testConversation() {
    let bytes = Array(#"{"jsonrpc":"2.0","id":1,"method":"hello"}"#.utf8) + [10]
    var connection = JSONRPCConnection<JSON>()
    connection.receive(bytes)
    while let arrival = connection.next() {
      guard case .call(let call) = arrival else { continue }
      connection.answer(call.address, ["echo": .string(call.method)])
    }
    connection.encode { answer, id, writer in writer.response(id: id, result: answer) }
    let output = connection.withPendingBytes { Array($0) }
    connection.didWrite(output.count)
    XCTAssertEqual(
      String(decoding: output, as: UTF8.self),
      #"{"jsonrpc":"2.0","id":1,"result":{"echo":"hello"}}"# + "\n")
  }
}
