import TodoDatabase
import TodoModel
import TodoStores

extension Simulation {
  /// Imports todos with the ids `1`, `2` and so on into each list.
  func importTodos(into lists: [TodoListKey]) throws {
    guard scenario.importedCount > 0 else { return }
    // The import uses a separate process, which is never killed.
    let store = try SQLiteStore(at: .file(machine.path), environment: machine.environment(of: 0))
    for list in lists where list.acceptsNew {
      var lines = [
        #"{"format":"todo-server","version":1}"#,
        #"{"list":{"name":"\#(list.profile)","source":"\#(list.wireName)"}}"#,
      ]
      for number in 1...scenario.importedCount {
        let title = ledger.newTitle(in: list.home)
        lines.append(#"{"id":"\#(number)","title":"\#(title)"}"#)
        ledger.acknowledge([title], by: "an import")
      }
      record("imports \(scenario.importedCount) todos into \(list.wireName) of \(list.profile)")
      importCounts[list.source, default: 0] += 1
      _ = try store.importLines(LineReader(text: lines.joined(separator: "\n")), profile: nil)
    }
    try settle()
  }
}
