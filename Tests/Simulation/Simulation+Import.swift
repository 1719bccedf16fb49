import TodoModel

extension Simulation {
  /// Imports todos with the ids `1`, `2` and so on into each list.
  func importTodos(into lists: [TodoListKey]) throws {
    guard scenario.importedCount > 0, let server = servers.compactMap({ $0 }).first else { return }
    for list in lists {
      // An issue is found again by the id of its todo: two users cannot share it at one source.
      guard list.isLocal || list.profile == scenario.users[0] else { continue }
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
      try server.importTodos(lines.joined(separator: "\n"))
    }
    try settle()
  }
}
