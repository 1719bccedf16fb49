import ScreenModel
import Testing
import TodoModel

@testable import TodoWorkflows

/// Values for tests of actions and renderings.
enum Sample {
  static let token = OperationToken(number: 1)
  static let error = TodoError(.offline, "No connection.")

  static func todo(
    _ title: String = "Milk", note: String = "note", isDone: Bool = false, version: Int64 = 1
  ) -> Todo {
    Todo(
      id: TodoID("t1"), content: TodoContent(title: title, note: note, isDone: isDone),
      version: version, createdAt: Timestamp(milliseconds: 0),
      updatedAt: Timestamp(milliseconds: version), origin: nil, sync: .local)
  }

  static func conflict(
    base: TodoContent? = TodoContent(title: "Milk", note: "", isDone: false), version: Int64 = 2
  ) -> TodoConflict {
    TodoConflict(
      base: base, mine: TodoContent(title: "Oat milk", note: "mine", isDone: true),
      theirs: TodoContent(title: "Soy milk", note: "", isDone: false), theirVersion: version)
  }
}

/// Reports that an output differs from the expected one.
func mismatch(_ output: Any, sourceLocation: SourceLocation = #_sourceLocation) {
  Testing.Issue.record("came: \(output)", sourceLocation: sourceLocation)
}
