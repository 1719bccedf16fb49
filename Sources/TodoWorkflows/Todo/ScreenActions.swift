import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Actions

extension TodoWorkflow {
  /// An action of the user on the screen of a list.
  struct ListAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var output: TodoListWorkflow.Output

    func apply(toState state: inout State) -> Output? {
      state.list.clearMessage()
      switch output {
      case .open(let id, let token): state.queue.add(.open(id), from: .list, token: token)
      case .reopen(let text, let token):
        state.queue.add(.reopen(text), from: .list, token: token)
      case .toggle(let ids, let token):
        state.queue.add(.change(ids, .toggle, one: { .toggle($0) }), from: .list, token: token)
      case .remove(let ids, let token):
        state.queue.add(
          .change(ids, .remove, one: { .remove($0, expectedVersion: nil) }), from: .list,
          token: token)
      case .adjust(let ids, let adjustment, let token):
        guard let adjustment else { return token.map { .ended([OperationEnd($0, .shown)]) } }
        state.queue.add(
          .change(ids, .adjust(adjustment), one: { .adjust($0, adjustment) }), from: .list,
          token: token)
      case .move(let id, let direction, let token):
        state.queue.add(
          .moveRow(id, direction, filter: state.list.filter), from: .list, token: token)
      case .add(let title, let token): return add(title, token, &state)
      case .filter(let filter, let token): return find(filter, token, &state)
      case .show(let window, let token):
        state.list.turn(to: window)
        state.queue.add(state.list.rowsAtOffset, from: .list, token: token)
      // A reload only fetches, and starts immediately. The list stays visible if it was complete
      // before. Everything is requested, because the changes since the last fetch do not include
      // deleted items.
      case .reload:
        state.refreshCount += 1
        state.startLoad(.reload, inFront: state.syncedAt == nil)
      case .sync:
        state.queue.add(.sync, token: nil)
        return .reported(state.startDueLoads())
      case .close: return .closed
      case .removed(let token): state.queue.add(.openRemoved, from: .list, token: token)
      case .agenda: return .agendaWanted
      case .undo(let token): state.queue.add(.undo, from: .list, token: token)
      case .redo(let token): state.queue.add(.redo, from: .list, token: token)
      case .logOut(let token): state.queue.add(.logOut, from: .list, token: token)
      }
      return nil
    }

    /// Sets the filter. If the filter is invalid, the list shows an error and stays unchanged.
    private func find(_ filter: String, _ token: OperationToken?, _ state: inout State) -> Output? {
      do throws(TodoError) {
        try TodoFilter.check(filter)
        state.queue.add(state.list.find(filter), from: .list, token: token)
        return nil
      } catch {
        state.list.notify(.error, error.message)
        return token.map { .ended([OperationEnd($0, .failed(error))]) }
      }
    }

    private func add(_ title: String, _ token: OperationToken?, _ state: inout State) -> Output? {
      do throws(TodoError) {
        state.queue.add(.add(try NewTodo(title: title)), from: .list, token: token)
        return nil
      } catch {
        state.list.notify(.error, error.message)
        return token.map { .ended([OperationEnd($0, .failed(error))]) }
      }
    }
  }
}
