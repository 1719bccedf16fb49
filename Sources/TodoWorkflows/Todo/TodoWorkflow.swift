import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// The workflow of one list: loading, the screen of the list, and the form for a todo.
package struct TodoWorkflow: Workflow {
  package var name: String
  package var services: TodoServices
  package var source = TodoSource.local
  package var today: CivilDay
  /// The initial window of the list: the part that the front-end shows.
  package var window = ListWindow.whole
  /// Whether a logout was started outside this list, such as in another list. This list must then
  /// end.
  package var isLeaving = false
  /// The number of undos and redos that were started in another list, but have changed this list.
  /// If the number grows, this list is read again.
  package var foreignChangeCount = 0
  /// Whether the user sees the list, alone or as part of the agenda.
  package var isInFront = true

  package enum Output {
    /// The user has logged out. The value contains the outcomes of all operations that had not
    /// ended.
    case loggedOut([OperationEnd])
    case ended([OperationEnd])
    case progressed([OperationToken], LoadProgress)
    /// The user has closed the list to choose another one.
    case closed
    /// The user has opened the agenda.
    case agendaWanted
    /// An undo or redo in this list has changed another list, whose key is the first value.
    case changedOtherList(TodoListKey, [OperationEnd])
  }

  var list: TodoListKey { TodoListKey(profile: name, source: source.name) }
}

// MARK: Rendering

extension TodoWorkflow {
  package struct Rendering {
    package var items: [any DescribableScreen]
    package var operations: Operations
    /// The summary of the list; `nil` if the rendering is that of several lists.
    package var summary: ListSummary?
    /// Starts a sync of the list. The outcome of the sync is not reported.
    package var sync: () -> Void
    /// Opens a closed form again, with its unsaved text.
    var reopen: (FormText, OperationToken?) -> Void
    /// The unsaved texts of the open forms.
    package var unsavedTexts: [UnsavedText]
    /// The lists, with the values and closures that the agenda needs.
    package var lists: [ListAccess]
  }

  package func render(state: State, context: RenderContext<TodoWorkflow>) -> Rendering {
    let name = source.wireName
    QueueWorkflow(
      queue: state.queue, list: list, store: services.store, drafts: services.drafts,
      limits: source.limits
    )
    .mapOutput { QueueAction(output: $0, sourceName: name) }
    .rendered(with: context)
    let listScreen = TodoListWorkflow(
      key: list, list: state.list,
      isLoading: state.load.request.isInFlight, status: state.status,
      hasHistory: services.store.history != nil, hasGroups: services.store.groups != nil,
      hasRemoved: services.store.removedTodos != nil,
      hasOrdering: services.store.ordering != nil, hasAgenda: services.store.agenda != nil,
      source: services.sources.count > 1 ? name : nil,
      place: services.sources.count > 1 || source.view?.filter != nil ? source.title : nil,
      isAddingOffered: source.view?.acceptsNew ?? true, details: source.details
    )
    .mapOutput { ListAction(output: $0) }
    .rendered(with: context)
    let loadingScreen = loadingScreen(state, context)
    let front = frontScreen(state, context)
    var items: [any DescribableScreen] = [listScreen]
    if let front {
      items.append(front)
    } else if let loadingScreen, state.load.isInFront {
      items = [loadingScreen]
    }
    renderSchedule(state, context)
    renderSourceLabels(state, context)
    renderOpenCounts(state, context)
    if let file = services.store.sharedFile {
      context.awaitResult(for: WatchWorker(file: file)) { _ in ChangedElsewhereAction() }
    }
    let requests = context.makeSink(of: RequestAction.self)
    let actions = context.makeSink(of: ListAction.self)
    return Rendering(
      items: items, operations: operations(state, requests),
      summary: summary(state), sync: { requests.send(.load(.sync, nil)) },
      reopen: { requests.send(.reopen($0, $1)) }, unsavedTexts: state.unsavedTexts,
      lists: [
        ListAccess(
          key: list, isOpen: true, front: front, isReadOnly: state.list.rows.isReadOnly,
          drafted: state.list.drafted, message: state.list.message,
          readCount: state.list.readCount, refreshCount: state.refreshCount,
          send: { actions.send(ListAction(output: $0)) })
      ])
  }

  /// Counts the open todos of this list, for the screen of all lists.
  private func renderOpenCounts(_ state: State, _ context: RenderContext<TodoWorkflow>) {
    guard services.sources.count > 1, let reads = services.store.agenda else { return }
    let worker = OpenCountsWorker(
      list: list, today: today, readCount: state.list.readCount, reads: reads)
    context.awaitResult(for: worker) { OpenCountsAction(result: $0) }
  }

  private func summary(_ state: State) -> ListSummary {
    ListSummary(
      source: source.wireName, title: source.displayName, filter: source.view?.filter,
      isReadOnly: state.list.rows.isReadOnly, fields: source.fields, total: state.total,
      counts: state.counts, openCounts: state.openCounts,
      failure: state.failure, isOpen: true)
  }

  /// Starts the pauses before the next syncs, unless a sync is running.
  private func renderSchedule(_ state: State, _ context: RenderContext<TodoWorkflow>) {
    guard let remote = source.remote, let sync = services.sync, sync.kind == .auto,
      !state.load.isRunning
    else { return }
    let pauses = state.schedule.pauses(
      afterRun: state.load.number, hasPending: state.counts.pending > 0,
      isInFront: isInFront, remote.capabilities)
    for pause in pauses {
      let worker = PauseWorker(pause: pause, services: sync)
      context.awaitResult(for: worker, key: pause.goal.pushes ? "push" : "pull") {
        LoadAction.due($0)
      }
    }
  }

  private func loadingScreen(
    _ state: State, _ context: RenderContext<TodoWorkflow>
  ) -> LoadingScreen? {
    guard let run = state.load.run else { return nil }
    let name = source.wireName
    return LoadingWorkflow(
      list: list, source: source, services: services, goal: run.goal,
      isFirst: state.load.number == 1, window: state.list.window
    )
    .mapOutput { LoadAction.loading($0, source: name) }
    .rendered(with: context, key: "\(state.load.number)")
  }

  /// Returns the screen in front of the list; `nil` if there is none.
  private func frontScreen(
    _ state: State, _ context: RenderContext<TodoWorkflow>
  ) -> (any DescribableScreen)? {
    switch state.step {
    case .list: nil
    case .edit(let form):
      TodoEditWorkflow(
        form: form, isSaving: state.queue.isSaving, labels: state.list.rows.labels,
        limits: source.limits, isReadOnly: state.list.rows.isReadOnly
      )
      .mapOutput { EditAction(output: $0) }
      .rendered(with: context, key: form.todo.id.text)
    case .conflict(let comparison):
      ConflictWorkflow(
        comparison: comparison, isSaving: state.queue.isSaving, limits: source.limits
      )
      .mapOutput { ConflictAction(output: $0) }
      .rendered(with: context, key: comparison.sides.id.text)
    case .drafts(let choice):
      DraftsWorkflow(choice: choice)
        .mapOutput { DraftsAction(output: $0) }
        .rendered(with: context, key: choice.id.text)
    case .removed(let removed):
      RemovedWorkflow(list: removed, source: services.sources.count > 1 ? source.wireName : nil)
        .mapOutput { RemovedAction(output: $0) }
        .rendered(with: context)
    case .loadFailed(let error):
      FailureWorkflow(title: "The todos could not be loaded", error: error)
        .mapOutput { FailureAction(output: $0) }
        .rendered(with: context)
    }
  }

  private func operations(
    _ state: State, _ requests: Sink<RequestAction>
  ) -> Operations {
    let (directory, own) = (ListDirectory(name: name, services: services), source)
    let (list, store, summary) = (list, services.store, summary(state))
    let (queue, load) = (state.queue, state.load)
    return Operations(
      begin: { operation, token in
        do throws(TodoError) {
          switch operation {
          case .logIn, .register:
            let message = "A user is logged in already. Log out first."
            throw TodoError(.alreadyLoggedIn, message)
          case .invalid(let error): throw error
          case .load(let refresh): requests.send(.load(.load(refresh: refresh), token))
          case .sync(let request) where request.isDryRun:
            requests.send(.perform(.ask(.plan), token))
          case .sync: requests.send(.load(.sync, token))
          case .lists:
            // If the store is on the network, no request is sent only to count its todos.
            guard store.localReads != nil else { return .lists([summary]) }
            return .lists(
              try directory.summaries(open: own, failures: [own.name: state.failure]))
          case .openList(let name):
            let source = try directory.source(named: name).wireName
            if queue.isEmpty { return .listOpened(source: source) }
            requests.send(.perform(.openList(source: source), token))
          case .watch: return .watching(try directory.watchedChanges())
          case .logOut: requests.send(.logOut(token))
          case .list(let operation):
            // If operations are queued, they may change the result, so this one is queued after
            // them.
            if queue.isEmpty, let outcome = try operation.answer(from: store, in: list) {
              return outcome
            }
            requests.send(.perform(operation, token))
          }
          return nil
        } catch {
          return .failed(error)
        }
      },
      cancel: { requests.send(.cancel($0)) },
      isWaiting: { token in
        queue.tokens.contains(token) || load.tokens.contains(token)
      })
  }
}
