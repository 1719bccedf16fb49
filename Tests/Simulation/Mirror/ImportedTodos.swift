import TodoDatabase
import TodoModel

/// Todos with the ids `1`, `2` and so on, as an import creates them. The id of such a todo may
/// equal the number of a plain line (a line that is not a todo), because the store numbers the
/// plain lines of a document in the same way.
enum ImportedTodos {
  /// Returns the number of imported todos in the run of a seed. The document gets as many plain
  /// lines.
  static func count(ofSeed seed: UInt64) -> Int {
    if seed % 256 == 77 { return 1_000 }
    return switch seed % 16 {
    case 1: 12
    case 5: 40
    case 13: 3
    default: 0
    }
  }

  static func add(
    _ count: Int, to store: SQLiteStore, _ ledger: inout TypedLedger
  ) throws(TodoError) {
    guard count > 0 else { return }
    var lines = [#"{"format":"todo-server","version":1}"#]
    for number in 1...count {
      let word = ledger.newWordOfOthers()
      lines.append(#"{"id":"\#(number)","title":"Imported \#(word)"}"#)
      ledger.others.insert(word)
    }
    _ = try store.importLines(
      LineReader(text: lines.joined(separator: "\n")), profile: MirrorSimulation.list.profile)
  }
}
