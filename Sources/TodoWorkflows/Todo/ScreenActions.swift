import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Actions

extension TodoWorkflow {
  /// What the list's user wants.
  struct ListAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var output: TodoListWorkflow.Output

    func apply(toState state: inout State) -> Output? {
      state.message = nil
      switch output {
      case .open(let id, let token): state.enqueue(.open(id), from: .list, token: token)
      case .toggle(let id, let token): state.enqueue(.toggle(id), from: .list, token: token)
      case .remove(let id, let token):
        state.enqueue(.remove(id, expectedVersion: nil), from: .list, token: token)
      case .add(let title, let token): return add(title, token, &state)
      case .filter(let filter, let token):
        state.filter = filter.trimmed
        state.window.offset = 0
        state.enqueue(
          .rows(filter: state.filter, window: state.window), from: .list, token: token)
      case .show(let window, let token): state.show(window, token: token)
      case .reload: state.startLoad(inFront: true)
      case .undo(let token): state.enqueue(.undo, from: .list, token: token)
      case .redo(let token): state.enqueue(.redo, from: .list, token: token)
      case .logOut(let token): state.enqueue(.logOut, from: .list, token: token)
      }
      return nil
    }

    private func add(_ title: String, _ token: OperationToken?, _ state: inout State) -> Output? {
      do throws(TodoError) {
        state.enqueue(.add(try TodoDraft(title: title)), from: .list, token: token)
        return nil
      } catch {
        state.message = ScreenMessage(.error, error.message)
        return token.map { .ended([OperationEnd($0, .failed(error))]) }
      }
    }
  }

  /// What the editor of a todo wants.
  struct EditAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var output: TodoEditWorkflow.Output

    func apply(toState state: inout State) -> Output? {
      guard case .edit(let todo, _) = state.step else { return nil }
      switch output {
      case .discard: state.step = .list
      case .save(let draft, let token):
        do throws(TodoError) {
          state.enqueue(.edit(todo.id, try draft.edit()), from: .editScreen, token: token)
          state.step = .edit(todo, failure: nil)
        } catch {
          state.step = .edit(todo, failure: error)
          return token.map { .ended([OperationEnd($0, .failed(error))]) }
        }
      }
      return nil
    }
  }

  /// How a conflict is to end.
  struct ConflictAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var id: TodoID
    var output: ConflictWorkflow.Output

    func apply(toState state: inout State) -> Output? {
      switch output {
      case .takeTheirs:
        state.step = .list
        // The list has not seen theirs yet.
        state.readRows()
      case .save(let edit, let token):
        state.enqueue(.edit(id, edit), from: .conflictScreen, token: token)
      }
      return nil
    }
  }
}
