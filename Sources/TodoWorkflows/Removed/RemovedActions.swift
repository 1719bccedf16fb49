import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Actions

extension TodoWorkflow {
  /// An action of the user on the screen of removed todos.
  struct RemovedAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var output: RemovedWorkflow.Output

    func apply(toState state: inout State) -> Output? {
      guard case .removed(var list) = state.step else { return nil }
      list.clearMessage()
      switch output {
      case .restore(let id, let token):
        state.queue.add(.restore(id), from: .removedScreen, token: token)
      case .forget(let id, let token):
        state.queue.add(.forget(id), from: .removedScreen, token: token)
      case .show(let window): list.window = window
      case .back:
        state.step = .list
        return nil
      }
      state.step = .removed(list)
      return nil
    }
  }
}

// MARK: State

extension TodoWorkflow.State {
  /// Updates the screen of removed todos, or opens it if `opens` is `true`.
  mutating func show(_ removed: [RemovedTodo], opens: Bool) {
    if case .removed(var list) = step {
      list.follow(removed)
      step = .removed(list)
    } else if opens {
      step = .removed(RemovedList(removed, in: key, window: list.window))
    }
  }

  /// Reads the removed todos again if their screen is open.
  mutating func readRemoved() {
    guard case .removed = step, !queue.contains(.readRemoved) else { return }
    queue.add(.readRemoved, from: .refresh, token: nil)
  }

  /// Shows a restored todo in the list. If the user has restored it on the screen of removed todos,
  /// the list also selects it.
  mutating func showRestored(_ todo: Todo, _ entry: QueuedOperation) {
    if entry.origin == .removedScreen { list.reveal(todo.id) }
    show(.reappeared(todo))
    showEdited(todo, entry)
    dropRemoved(todo.id, entry, message: "Restored: \(todo.content.title)")
  }

  mutating func showForgotten(_ id: TodoID, _ entry: QueuedOperation) {
    readDrafts()
    var title = ""
    if case .removed(let list) = step { title = list.title(of: id) ?? "" }
    dropRemoved(id, entry, message: "Forgotten: \(title)")
  }

  private mutating func dropRemoved(
    _ id: TodoID, _ entry: QueuedOperation, message: String
  ) {
    guard case .removed(var list) = step else { return }
    list.drop(id)
    if entry.origin == .removedScreen { list.notify(.info, message) }
    step = .removed(list)
  }

  /// Shows the error of an action on a removed todo. If the screen of removed todos is open, it
  /// shows the error, and the removed todos are read again. Otherwise, the list shows the error.
  mutating func show(_ error: TodoError, ofRemoved entry: QueuedOperation) -> TodoOutcome {
    if case .removed(var list) = step {
      list.notify(.error, error.message)
      step = .removed(list)
      refreshFront()
    } else {
      list.notify(.error, error.message)
    }
    return .failed(error)
  }
}
