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
      state.list.clearMessage()
      switch output {
      case .open(let id, let token): state.queue.add(.open(id), from: .list, token: token)
      case .reopen(let text, let token):
        state.queue.add(.reopen(text), from: .list, token: token)
      case .toggle(let id, let token): state.queue.add(.toggle(id), from: .list, token: token)
      case .remove(let id, let token):
        state.queue.add(.remove(id, expectedVersion: nil), from: .list, token: token)
      case .add(let title, let token): return add(title, token, &state)
      case .filter(let filter, let token):
        state.list.find(filter)
        state.queue.add(state.list.turning, from: .list, token: token)
      case .show(let window, let token):
        state.list.turn(to: window)
        state.queue.add(state.list.turning, from: .list, token: token)
      // It only fetches, and shows immediately that it does. The list is not hidden if it was complete
      // before.
      case .reload: state.startLoad(inFront: state.syncedAt == nil)
      case .sync:
        state.queue.add(.sync, token: nil)
        return .reported(state.startDueLoads())
      case .close: return .closed
      case .undo(let token): state.queue.add(.undo, from: .list, token: token)
      case .redo(let token): state.queue.add(.redo, from: .list, token: token)
      case .logOut(let token): state.queue.add(.logOut, from: .list, token: token)
      }
      return nil
    }

    private func add(_ title: String, _ token: OperationToken?, _ state: inout State) -> Output? {
      do throws(TodoError) {
        state.queue.add(.add(try TodoDraft(title: title)), from: .list, token: token)
        return nil
      } catch {
        state.list.notify(.error, error.message)
        return token.map { .ended([OperationEnd($0, .failed(error))]) }
      }
    }
  }

  /// What the editor of a todo wants.
  struct EditAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var output: TodoEditWorkflow.Output

    func apply(toState state: inout State) -> Output? {
      guard case .edit(let open) = state.step else { return nil }
      switch output {
      case .discard:
        state.step = .list
        return nil
      case .save(let draft, let stays, let token):
        return state.save(open, stays: stays, token) { () throws(TodoError) in
          .edit(open.todo.id, try draft.edit())
        }
      case .saveAsNew(let draft, let stays, let token):
        return state.save(open, stays: stays, token) { () throws(TodoError) in
          .add(try draft.newTodo())
        }
      }
    }
  }

  /// How a conflict is to end.
  struct ConflictAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var sides: ConflictSides
    var output: ConflictWorkflow.Output

    func apply(toState state: inout State) -> Output? {
      switch output {
      case .leave:
        state.step = .list
        state.readRows()
      case .decide(let resolution, let version, let stays, let token):
        return decide(resolution, version, stays: stays, token, &state)
      }
      return nil
    }

    private func decide(
      _ resolution: Resolution, _ version: Int64, stays: Bool, _ token: OperationToken?,
      _ state: inout State
    ) -> Output? {
      if sides.isWithSource {
        state.queue.add(
          .resolve(sides.id, version: version, resolution), from: .conflictScreen, stays: stays,
          token: token)
        return nil
      }
      let content = sides.merge.content(after: resolution)
      if content == sides.merge.theirs, version == sides.version {
        // It is stored already; the list has not seen it yet.
        state.step = .list
        if stays { state.queue.add(.open(sides.id), from: .list, token: token) }
        state.readRows()
        return stays ? nil : token.map { .ended([OperationEnd($0, .shown)]) }
      }
      let edit = TodoEdit(
        unchecked: FieldChanges(content, fields: .all), expectedVersion: version)
      state.queue.add(.edit(sides.id, edit), from: .conflictScreen, stays: stays, token: token)
      return nil
    }
  }
}

extension TodoWorkflow.State {
  /// Stores what an editor has, or says in it why that cannot be.
  fileprivate mutating func save(
    _ open: TodoWorkflow.OpenEdit, stays: Bool, _ token: OperationToken?,
    as operation: () throws(TodoError) -> ListOperation
  ) -> TodoWorkflow.Output? {
    var open = open
    do throws(TodoError) {
      queue.add(try operation(), from: .editScreen, stays: stays, token: token)
      open.failure = nil
      step = .edit(open)
      return nil
    } catch {
      open.failure = error
      step = .edit(open)
      return token.map { .ended([OperationEnd($0, .failed(error))]) }
    }
  }
}
