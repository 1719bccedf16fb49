import JSONRPC
import System
import TestSupport
import Testing

/// Tests `todo-server export` and `import` as a shell runs them.
@Suite struct ExchangeCommandTests {
  private let folder = TemporaryFolder()
  private var environment: [String: String] { ["XDG_DATA_HOME": folder.path] }

  private func run(_ arguments: [String], _ input: String = "") throws -> CommandRun {
    try CommandRun(arguments, input: Array(input.utf8), environment: environment)
  }

  @Test func exportedTodosCanBeImported() throws {
    let server = try ServerProcess(environment: environment)
    _ = server.initialize()
    _ = server.request("login", ["name": "ann"])
    for number in 0..<50 {
      let note = String(repeating: "n", count: 10_000)
      _ = server.request("addTodo", ["title": .string("\(number) 👍"), "note": .string(note)])
    }
    let exported = try run(["export"])
    #expect(exported.exitCode == 0, "\(exported.errors)")
    // The header, the list, the todos, their additions and the end.
    #expect(exported.lines.count == 103)
    let store = "sqlite:\(folder.path("other/todos.sqlite"))"
    let imported = try run(["import", "--store", store], exported.output)
    #expect(imported.output == "50 todos were imported\n", "\(imported.errors)")
    #expect(imported.exitCode == 0)
    #expect(try run(["--store", store, "export"]).output == exported.output)
    let again = try run(["import"], exported.output)
    #expect(again.output == "0 todos were imported; 50 were there already\n")
    let copied = try run(["import", "--name", "bob"], exported.output)
    #expect(copied.output == "50 todos were imported\n")
    let listed = try run(["export", "--name=bob", "--source", "local"])
    #expect(listed.lines.count == 103)
  }

  @Test func serverShowsImportedTodos() throws {
    let server = try ServerProcess(environment: environment)
    _ = server.initialize()
    _ = server.request("login", ["name": "ann"])
    let lines = "{\"format\":\"todo-server\",\"version\":1}\n{\"title\":\"from elsewhere\"}\n"
    #expect(try run(["import", "--name", "ann"], lines).exitCode == 0)
    let listed = server.request("listTodos")
    #expect(listed?["result"]?["todos"]?[0]?["title"]?.stringValue == "from elsewhere")
  }

  @Test func invalidLineIsReportedAndNothingIsImported() throws {
    let lines = "{\"format\":\"todo-server\",\"version\":1}\n{\"title\":\"x\"}\n{\"title\":7}\n"
    let wrong = try run(["import", "--name", "ann"], lines)
    #expect(wrong.exitCode == 1)
    #expect(wrong.output.isEmpty)
    #expect(wrong.errors.hasPrefix("todo-server: line 3: "), "\(wrong.errors)")
    let exported = try run(["export"])
    #expect(exported.lines.count == 2)
  }

  @Test func exportDoesNotCreateAMissingStore() throws {
    let exported = try run(["export"])
    #expect(exported.exitCode == 1)
    #expect(exported.errors.contains("There is no store at"))
    #expect(FileTree.names(in: folder.path).isEmpty)
    #expect(try run(["export", "--store", "memory"]).exitCode == 1)
    #expect(try run(["--name", "ann"]).exitCode == 64)
  }
}
