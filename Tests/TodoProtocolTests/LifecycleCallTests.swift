import JSONRPC
import Testing

@testable import TodoProtocol

@Suite("Lifecycle requests")
struct LifecycleCallTests {
  @Test("Every method is found by its name")
  func names() throws {
    let params =
      #"{"screen": "s", "action": "a", "values": {}, "name": "n", "id": "i", "title": "t", "#
      + #""offset": 0, "limit": 1, "username": "u", "password": "p", "version": 1, "#
      + #""keep": "mine", "source": "local", "number": 1}"#
    for name in Methods.names { _ = try read(name, params) }
  }

  @Test(
    "An unknown name is not a method",
    arguments: ["", "Login", "screen/", "exit", "initialized", "$/cancelRequest"])
  func unknownMethod(name: String) throws {
    let error = try refusal(name, nil)
    #expect(error.code == ErrorCode.methodNotFound)
    #expect(error.message == "method not found: \(name)")
  }

  @Test("A long unknown name is not repeated whole")
  func longUnknownMethod() throws {
    let error = try refusal(String(repeating: "x", count: 10_000), nil)
    #expect(error.message.utf8.count < 200)
  }

  @Test(
    "Params may be absent, null, [] or {} where every member is optional",
    arguments: optionalParams, [nil, "null", "[]", "{}", #"{"unknown": [1]}"#])
  func emptyParams(name: String, params: String?) throws {
    _ = try read(name, params)
  }

  @Test(
    "Params of another type than object are refused", arguments: Methods.names,
    [
      ("[1]", "array"), ("7", "number"), (#""s3cret""#, "string"), ("true", "boolean"),
    ])
  func paramsOfOtherKinds(name: String, params: (text: String, kind: String)) throws {
    let error = try refusal(name, params.text)
    #expect(error.code == ErrorCode.invalidParams)
    #expect(error.message == "params: expected object, got \(params.kind)")
  }

  @Test("initialize ignores members that it does not use")
  func initialize() throws {
    let call = try read(
      "initialize",
      #"""
      {"processId": 42, "clientInfo": {"name": "x"}, "capabilities": {"render": {"patch": true}},
      "initializationOptions": {"store": "memory", "source": "local", "githubURL": "g",
      "registerURL": "r", "other": 1}, "trace": "verbose"}
      """#)
    guard case .initialize(let params) = call else {
      Issue.record("read as \(call)")
      return
    }
    #expect(params.processID == 42)
    #expect(params.trace == .verbose)
    #expect(params.options.store == "memory")
    #expect(params.options.source == "local")
    #expect(params.options.githubURL == "g")
    #expect(params.options.registerURL == "r")
    #expect(params.capabilities.render.isPatching)
  }

  @Test("initialize has a default for each member", arguments: [nil, #"{"processId": null}"#])
  func initializeDefaults(text: String?) throws {
    guard case .initialize(let params) = try read("initialize", text) else {
      Issue.record("not read as initialize")
      return
    }
    #expect(params.processID == nil)
    #expect(params.trace == .off)
    #expect(params.options.store == nil)
    #expect(params.options.source == nil)
  }

  @Test("The result of initialize has the server's name, version and capabilities")
  func initializeResult() {
    let methods = Methods.names.map { "\"\($0)\"" }.joined(separator: ",")
    #expect(
      JSON(written: InitializeResult(version: "1.2.3")).compactText
        == #"{"protocolVersion":1,"schemaVersion":"\#(ProtocolSchema.version)","#
        + #""serverInfo":{"name":"todo-server","version":"1.2.3"},"#
        + #""capabilities":{"methods":["# + methods
        + #"],"render":{"patch":true,"window":true,"frontOnly":true,"preview":true}}}"#)
  }

  @Test("A trace is off, messages or verbose", arguments: TraceValue.allCases)
  func setTrace(value: TraceValue) throws {
    #expect(try SetTrace(Params(.object(["value": .string(value.rawValue)]))).value == value)
  }

  @Test("An unknown trace value is refused")
  func badTrace() throws {
    let message = #"params.value: expected "off", "messages" or "verbose", got another string"#
    #expect(throws: RPCError.invalidParams(message)) {
      _ = try SetTrace(Params(.object(["value": "s3cret"])))
    }
    #expect(throws: RPCError.invalidParams("params.value: missing, expected string")) {
      _ = try SetTrace(Params(nil as RawJSON?))
    }
  }
}

/// The methods that can be called without params.
private let optionalParams = [
  "initialize", "shutdown", "workflow/rendering", "logout", "loadTodos", "listTodos",
]
