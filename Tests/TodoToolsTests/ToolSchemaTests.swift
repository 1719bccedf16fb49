import JSONRPC
import Testing

@testable import TodoTools

struct ToolSchemaTests {
  private func description(of name: String, _ revision: Revision = .july2026) throws -> JSON {
    let tool = try #require(ToolRegistry.all.first { $0.name == name })
    return ToolDescription(tool: tool).json(revision)
  }

  @Test(arguments: ToolRegistry.names)
  func argumentsAreClosedAndTyped(_ name: String) throws {
    let schema = try #require(try description(of: name)["inputSchema"])
    #expect(schema["additionalProperties"] == false)
    for (argument, value) in try #require(schema["properties"]?.objectValue).members {
      #expect(value["type"] != nil, "\(name).\(argument)")
    }
  }

  @Test(arguments: ["edit_todo", "remove_todo", "undo"])
  func changesOfATodoRequireItsVersion(_ name: String) throws {
    let required = try description(of: name)["inputSchema"]?["required"]
    #expect(required == ["id", "version"])
  }

  @Test func annotationsDescribeTheEffectOfATool() throws {
    func hint(_ name: String, _ hint: String) throws -> JSON? {
      try description(of: name)["annotations"]?[hint]
    }
    #expect(try hint("list_todos", "readOnlyHint") == true)
    #expect(try hint("get_todo", "readOnlyHint") == true)
    #expect(try hint("list_conflicts", "readOnlyHint") == true)
    #expect(try hint("add_todo", "destructiveHint") == false)
    #expect(try hint("add_todo", "idempotentHint") == false)
    #expect(try hint("remove_todo", "destructiveHint") == true)
    // Text can be appended twice.
    #expect(try hint("edit_todo", "idempotentHint") == false)
    #expect(try hint("undo", "idempotentHint") == false)
    #expect(try hint("sync", "openWorldHint") == true)
  }

  /// In each session, an assistant sends the descriptions of all tools to its model, so they must
  /// be short.
  @Test func allToolsTogetherAreShort() {
    let bytes = ToolRegistry.all.reduce(0) { count, tool in
      var buffer: [UInt8] = []
      ToolDescription(tool: tool).json(.march2025).write(to: &buffer)
      return count + buffer.count
    }
    #expect(bytes < 7_000)
  }

  @Test func optionalArgumentMayBeNull() throws {
    let arguments = try Params(["query": nil, "limit": 3] as JSON)
    let tool = try ToolRegistry.read(ListTodos.self, arguments)
    #expect(tool.query.limit == 3)
  }

  @Test func limitIsCappedAtOneThousand() throws {
    let arguments = try Params(["limit": 1_000_000] as JSON)
    let tool = try ToolRegistry.read(ListTodos.self, arguments)
    #expect(tool.query.limit == 1_000)
  }
}
