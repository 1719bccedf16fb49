import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// A person's todos: loading, the list, editing one.
package struct TodoWorkflow: Workflow {
  package var name: String
  package var services: TodoServices
  /// Which part of the list to show at first.
  package var window = ListWindow.whole

  package enum Output {
    /// With everything that can no longer be answered otherwise.
    case loggedOut([OperationEnd])
    case ended([OperationEnd])
    case progressed([OperationToken], LoadProgress)
  }

  var list: TodoListKey {
    TodoListKey(profile: name, source: services.issues?.sourceName ?? "")
  }

  /// What the source is called on the wire.
  var sourceName: String { services.issues?.sourceName ?? "local" }
}

// MARK: Rendering

extension TodoWorkflow {
  package struct Rendering {
    package var items: [any DescribableScreen]
    package var operations: Operations
  }

  package func render(state: State, context: RenderContext<TodoWorkflow>) -> Rendering {
    if let entry = state.queue.first {
      let source = sourceName
      context.awaitResult(
        for: OperationWorker(entry: entry, list: list, store: services.store)
      ) { OperationAction(entry: entry, result: $0, sourceName: source) }
    }
    for read in state.slowReads {
      context.awaitResult(for: SlowReadWorker(read: read), key: "\(read.number)") {
        SlowReadAction(read: read, result: $0)
      }
    }
    let listScreen = TodoListWorkflow(
      name: name, rows: state.rows, filter: state.filter, selected: state.selected,
      message: state.message, isLoading: state.load.request.isUnderWay
    )
    .mapOutput { ListAction(output: $0) }
    .rendered(with: context)
    let loadingScreen = loadingScreen(state, context)
    var items: [any DescribableScreen] = []
    if let loadingScreen, state.load.isInFront {
      items.append(loadingScreen)
    } else {
      items.append(listScreen)
      if let front = frontScreen(state, context) { items.append(front) }
    }
    context.awaitResult(for: WatchWorker(store: services.store)) { _ in ChangedElsewhereAction() }
    return Rendering(items: items, operations: operations(state, context))
  }

  private func loadingScreen(
    _ state: State, _ context: RenderContext<TodoWorkflow>
  ) -> LoadingScreen? {
    guard state.load.request.isUnderWay else { return nil }
    let source = sourceName
    return LoadingWorkflow(list: list, services: services, window: state.window)
      .mapOutput { LoadAction.loading($0, source: source) }
      .rendered(with: context, key: "\(state.load.number)")
  }

  /// What is in front of the list, if anything is.
  private func frontScreen(
    _ state: State, _ context: RenderContext<TodoWorkflow>
  ) -> (any DescribableScreen)? {
    switch state.step {
    case .list: nil
    case .edit(let open):
      TodoEditWorkflow(
        todo: open.todo, isSaving: state.isSaving, failure: open.failure,
        isRemoved: open.isRemoved, saveCount: open.saveCount
      )
      .mapOutput { EditAction(output: $0) }
      .rendered(with: context, key: open.todo.id.text)
    case .conflict(let id, let conflict, let failure):
      ConflictWorkflow(id: id, conflict: conflict, isSaving: state.isSaving, failure: failure)
        .mapOutput { ConflictAction(id: id, output: $0) }
        .rendered(with: context, key: "\(id.text) \(conflict.theirVersion)")
    case .loadFailed(let error):
      FailureWorkflow(title: "The todos could not be loaded", error: error)
        .mapOutput { FailureAction(output: $0) }
        .rendered(with: context)
    }
  }

  private func operations(
    _ state: State, _ context: RenderContext<TodoWorkflow>
  ) -> Operations {
    let requests = context.makeSink(of: RequestAction.self)
    let loads = context.makeSink(of: LoadAction.self)
    let (source, list, store) = (sourceName, list, services.store)
    let (queue, waitingForLoad) = (state.queue, state.load.waiting)
    let slowReads = state.slowReads
    return Operations(
      begin: { operation, token in
        switch operation {
        case .logIn, .register:
          let sentence = "Somebody is logged in already. Log out first."
          return .failed(TodoError(.alreadyLoggedIn, sentence))
        case .invalid(let error): return .failed(error)
        case .load(let refresh): loads.send(.asked(refresh: refresh, token, source: source))
        case .logOut: requests.send(.perform(.logOut, token))
        case .list(let operation):
          // What came before it may change the answer.
          if queue.isEmpty {
            do throws(TodoError) {
              if let outcome = try operation.answer(from: store, in: list) { return outcome }
            } catch {
              return .failed(error)
            }
          }
          requests.send(.perform(operation, token))
        case .change, .act, .window, .rendering: return .shown
        }
        return nil
      },
      cancel: { requests.send(.cancel($0)) },
      isWaiting: { token in
        queue.contains { $0.token == token } || waitingForLoad.contains(token)
          || slowReads.contains { $0.token == token }
      })
  }
}
