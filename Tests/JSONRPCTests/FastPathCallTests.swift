import System
import Testing

@testable import JSONRPC

/// Tests that the fast path parses common calls as the general parser does, and leaves all other
/// calls to the general parser.
@Suite("Calls in their most common form")
struct FastPathCallTests {
  private func fastPath(_ text: String, limits: JSONLimits = .standard) -> ScannedMessage? {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      bytes.baseAddress.flatMap { FastPathCall.scan($0, count: bytes.count, limits: limits) }
    }
  }

  @Test(
    "are parsed by the fast path",
    arguments: [
      #"{"jsonrpc":"2.0","id":1,"method":"login","params":{"name":"ann"}}"#,
      #" { "params" : [ ] , "method" : "a/b" , "id" : 0 , "jsonrpc" : "2.0" } "#,
      #"{"jsonrpc":"2.0","method":"exit"}"#,
      #"{"jsonrpc":"2.0","id":999999999999999999,"method":"size","params":null}"#,
    ])
  func fastPath(text: String) throws {
    let text = text.hasPrefix(" ") ? String(text.dropFirst()) : text
    let call = try #require(fastPath(text))
    #expect("\(call)" == "\(try long(text))")
  }

  @Test(
    "leave other forms to the general parser",
    arguments: [
      #"{"jsonrpc":"2.0","id":1,"id":1,"method":"a"}"#,
      #"{"jsonrpc":"2.0","jsonrpc":"2.0","method":"a"}"#,
      #"{"jsonrpc":"2.0","method":"a","method":"a"}"#,
      #"{"jsonrpc":"2.0","method":"a","params":{},"params":{}}"#,
      #"{"jsonrpc":"2.0","id":01,"method":"a"}"#,
      #"{"jsonrpc":"2.0","id":1.0,"method":"a"}"#,
      #"{"jsonrpc":"2.0","id":1e2,"method":"a"}"#,
      #"{"jsonrpc":"2.0","id":-1,"method":"a"}"#,
      #"{"jsonrpc":"2.0","id":"1","method":"a"}"#,
      #"{"jsonrpc":"2.0","id":null,"method":"a"}"#,
      #"{"jsonrpc":"2.0","id":1000000000000000000,"method":"a"}"#,
      #"{"jsonrpc":"2.00","id":1,"method":"a"}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"a\n"}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"größe"}"#,
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\u{1}\"}",
      #"{"jsonrpc":"2.0","id":1,"method":"a"#,
      #"{"jsonrpc":"2.0","id":1,"method":1}"#,
      #"{"jsonrpc":"2.0","id":1}"#,
      #"{"id":1,"method":"a"}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"a","params":"a"}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":1,"b":2}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":[}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"a","more":1}"#,
      #"{"jsonrpc":"2.0","id":1,"result":1}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"a",}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"a"} x"#,
      #"{"json\u0072pc":"2.0","id":1,"method":"a"}"#,
      "[]", "{}", "{", "1", "\u{FEFF}{}",
    ])
  func unusual(text: String) { #expect(fastPath(text) == nil) }

  @Test("observe the limits of depth and count")
  func limits() {
    let text = #"{"jsonrpc":"2.0","id":1,"method":"a","params":[[1]]}"#
    let deep = JSONLimits(depthMax: 3, valuesMax: 100)
    #expect(fastPath(text, limits: deep) != nil)
    #expect(fastPath(text, limits: JSONLimits(depthMax: 2, valuesMax: 100)) == nil)
    #expect(fastPath(text, limits: JSONLimits(depthMax: 3, valuesMax: 7)) != nil)
    #expect(fastPath(text, limits: JSONLimits(depthMax: 3, valuesMax: 6)) == nil)
  }

  /// Returns the result of the general parser for a call. The call gets an unknown member, which
  /// disables the fast path.
  private func long(_ text: String) throws -> ScannedMessage {
    let unusual = text.replacing("}", with: #","unknown":1}"#, from: text.lastIndex(of: "}"))
    let frame = Array(unusual.utf8).withUnsafeBufferPointer {
      ScannedFrame($0, limits: ConnectionLimits.standard.message)
    }
    guard case .single(let message) = frame else { throw RPCError.internalError("a batch") }
    return message
  }
}

extension String {
  fileprivate func replacing(_ old: Character, with new: String, from index: Index?) -> String {
    guard let index, self[index] == old else { return self }
    return String(self[..<index]) + new + String(self[self.index(after: index)...])
  }
}
