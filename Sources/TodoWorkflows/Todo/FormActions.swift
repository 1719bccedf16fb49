import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Actions

extension TodoWorkflow {
  /// An action of the user in the form for a todo.
  struct EditAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var output: TodoEditWorkflow.Output

    func apply(toState state: inout State) -> Output? {
      guard case .edit(var form) = state.step else { return nil }
      switch output {
      case .changed(let changes, let base):
        form.apply(changes, from: base)
        state.step = .edit(form)
        state.discardRevertedDrafts()
        return nil
      case .discard(let token):
        state.closeForm(discardingDrafts: token)
        return nil
      case .save(let stays, let token):
        return state.save(form, stays: stays, token) { () throws(TodoError) in
          .edit(form.todo.id, try form.edit())
        }
      case .saveAsNew(let stays, let token):
        return state.save(form, stays: stays, token) { () throws(TodoError) in
          form.isRemoved
            ? .add(try form.newTodo()) : .createAgain(form.todo.id, try form.edit())
        }
      }
    }
  }

  /// An action of the user on the screen of a conflict.
  struct ConflictAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var output: ConflictWorkflow.Output

    func apply(toState state: inout State) -> Output? {
      guard case .conflict(var comparison) = state.step else { return nil }
      switch output {
      case .changed(let merged, let base):
        comparison.apply(merged: merged, basedOn: base?.edit.version, draft: base?.draft)
        state.step = .conflict(comparison)
        state.discardRevertedDrafts()
        return nil
      case .leave(let token):
        state.closeForm(discardingDrafts: token)
        state.readRows()
        return nil
      case .decide(let resolution, let stays, let token):
        let decision = comparison.decide(resolution)
        state.step = .conflict(comparison)
        return state.perform(decision, stays: stays, token)
      }
    }
  }
}

extension TodoWorkflow.State {
  /// Queues the operation that stores the text of a form. If the text is invalid, the form shows
  /// the error.
  fileprivate mutating func save(
    _ form: TodoForm, stays: Bool, _ token: OperationToken?,
    as operation: () throws(TodoError) -> ListOperation
  ) -> TodoWorkflow.Output? {
    var form = form
    defer { step = .edit(form) }
    do throws(TodoError) {
      queue.add(
        try operation(), from: .editScreen, stays: stays, ending: savedDrafts, token: token)
      form.failure = nil
      return nil
    } catch {
      form.failure = error
      return token.map { .ended([OperationEnd($0, .failed(error))]) }
    }
  }

  fileprivate mutating func perform(
    _ decision: Comparison.Decision, stays: Bool, _ token: OperationToken?
  ) -> TodoWorkflow.Output? {
    switch decision {
    case .asks: return token.map { .ended([OperationEnd($0, .needsDecision)]) }
    case .operation(let operation):
      queue.add(
        operation, from: .conflictScreen, stays: stays, ending: savedDrafts, token: token)
      return nil
    }
  }
}
