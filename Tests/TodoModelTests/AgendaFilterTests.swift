import TestSupport
import Testing

@testable import TodoModel

@Suite struct AgendaFilterTests {
  private let lists = [TodoListKey.local, .source]

  @Test(
    arguments: [
      ("", [.local, .source], ""), ("milk", [.local, .source], "milk"),
      ("list:local", [.local], ""), ("LIST:Local milk", [.local], "milk"),
      ("-list:local label:\"a b\" -is:overdue", [.source], "label:\"a b\" -is:overdue"),
      ("list:github:octo/tasks", [.source], ""), ("list:\"github:Octo/Tasks\"", [.source], ""),
      ("list:local,github:octo/tasks", [.local, .source], ""),
      ("list:local list:github:octo/tasks", [], ""),
      ("\"list:x\" a", [.local, .source], "\"list:x\" a"),
    ] as [(String, [TodoListKey], String)])
  func listsAreSelected(text: String, expected: [TodoListKey], rest: String) throws {
    let filter = try AgendaFilter(text, of: lists)
    #expect(filter.lists == expected)
    #expect(filter.text == rest)
  }

  @Test(arguments: [
    ("list:", "local, github:octo/tasks"), ("list:x", "local"), ("-list:x", "local"),
    ("list:local,", "local"), ("is:late", "overdue"),
  ])
  func wrongValuesAreRefused(text: String, allowed: String) {
    let error = #expect(throws: TodoError.self) { try AgendaFilter(text, of: lists) }
    #expect(error?.kind == .validation && error?.fields.map(\.field) == ["query"])
    #expect(error?.message.contains(allowed) == true, "\(error?.message ?? "")")
  }
}
