import JSONRPC
import Testing

/// The examples in section 7 of the JSON-RPC 2.0 specification. They are answered by a server that
/// has the methods of the examples.
struct SpecificationTests {
  @Test(arguments: [
    (
      "positional parameters",
      #"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#,
      #"{"jsonrpc":"2.0","id":1,"result":19}"#
    ),
    (
      "positional parameters, the other way round",
      #"{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}"#,
      #"{"jsonrpc":"2.0","id":2,"result":-19}"#
    ),
    (
      "named parameters",
      #"{"jsonrpc": "2.0", "method": "subtract", "#
        + #""params": {"subtrahend": 23, "minuend": 42}, "id": 3}"#,
      #"{"jsonrpc":"2.0","id":3,"result":19}"#
    ),
    (
      "named parameters, the other way round",
      #"{"jsonrpc": "2.0", "method": "subtract", "#
        + #""params": {"minuend": 42, "subtrahend": 23}, "id": 4}"#,
      #"{"jsonrpc":"2.0","id":4,"result":19}"#
    ),
    ("a notification", #"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#, ""),
    ("a notification without params", #"{"jsonrpc": "2.0", "method": "foobar"}"#, ""),
    (
      "a method that does not exist", #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#,
      #"{"jsonrpc":"2.0","id":"1","error":{"code":-32601}}"#
    ),
    (
      "invalid JSON", #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#,
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}"#
    ),
    (
      "an invalid request", #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#,
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}"#
    ),
    (
      "a batch of invalid JSON",
      #"[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"}, "#
        + #"{"jsonrpc": "2.0", "method" ]"#,
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}"#
    ),
    ("an empty batch", "[]", #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}"#),
    (
      "a batch that is not empty and invalid", "[1]",
      #"[{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}]"#
    ),
    (
      "an invalid batch", "[1,2,3]",
      #"[{"jsonrpc":"2.0","id":null,"error":{"code":-32600}},"#
        + #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600}},"#
        + #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}]"#
    ),
    (
      "a batch",
      #"""
      [
        {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
        {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
        {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
        {"foo": "boo"},
        {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
        {"jsonrpc": "2.0", "method": "get_data", "id": "9"}
      ]
      """#,
      #"[{"jsonrpc":"2.0","id":"1","result":7},{"jsonrpc":"2.0","id":"2","result":19},"#
        + #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600}},"#
        + #"{"jsonrpc":"2.0","id":"5","error":{"code":-32601}},"#
        + #"{"jsonrpc":"2.0","id":"9","result":["hello",5]}]"#
    ),
    (
      "a batch of notifications",
      #"""
      [
        {"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},
        {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}
      ]
      """#, ""
    ),
  ])
  func example(name: String, question: String, answer: String) {
    #expect(ExampleServer.answer(question) == answer, "\(name)")
  }
}

/// The server of the examples. The messages of its errors are not compared.
private enum ExampleServer {
  static func answer(_ text: String) -> String {
    var buffer: [UInt8] = []
    JSONWriter.write(to: &buffer) { writer in
      switch decodeText(text) {
      case .single(let message):
        if let response = response(to: message) {
          writer.response(response)
        }
      case .batch(let messages):
        writer.batch(messages.compactMap(response))
      }
    }
    guard case .success(let json) = read(buffer) else {
      return String(decoding: buffer, as: UTF8.self)
    }
    return withoutErrorMessages(json).compactText
  }

  private static func response(to message: Message) -> Response? {
    switch message {
    case .request(let request): Response(id: request.id, outcome: result(of: request))
    case .invalid(let id, let error): Response(id: id, error: error)
    case .notification, .response: nil
    }
  }

  private static func result(of request: Request) -> Result<JSON, RPCError> {
    let params = request.params
    let numbers = params?.arrayValue?.compactMap(\.integerValue) ?? []
    switch request.method {
    case "subtract":
      let minuend = params?["minuend"]?.integerValue ?? numbers.first ?? 0
      let subtrahend = params?["subtrahend"]?.integerValue ?? numbers.last ?? 0
      return .success(.integer(minuend - subtrahend))
    case "sum": return .success(.integer(numbers.reduce(0, +)))
    case "get_data": return .success(["hello", 5])
    default: return .failure(.methodNotFound(request.method))
    }
  }

  private static func withoutErrorMessages(_ json: JSON) -> JSON {
    switch json {
    case .array(let elements): return .array(elements.map(withoutErrorMessages))
    case .object(var object):
      if var error = object["error"]?.objectValue {
        error["message"] = nil
        object["error"] = .object(error)
      }
      return .object(object)
    case .null, .bool, .integer, .double, .string: return json
    }
  }
}
