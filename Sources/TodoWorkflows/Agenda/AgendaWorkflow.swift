import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// A workflow that runs the lists of a user, and shows the agenda with todos of all lists.
///
/// The agenda stores nothing. It reads the open todos with a due date. An action on a row of the
/// agenda is performed as an action on the list of the row.
struct AgendaWorkflow: Workflow {
  var directory: ListDirectory
  var today: CivilDay
  /// The initial window of each list: the part that the front-end shows.
  var window = ListWindow.whole

  typealias Output = TodoWorkflow.Output
}

// MARK: State

extension AgendaWorkflow {
  struct State: Equatable {
    var isOpen = false
    /// The part of the agenda that the front-end has requested; `nil` for the beginning, with the
    /// limit of `AgendaWorkflow.window`.
    var window: ListWindow?
    var rows = AgendaRows()
    var filter = ""
    var failure: TodoError?
    /// The list of the last action. The agenda shows the message of this list.
    var currentList: TodoListKey?
  }

  func makeInitialState() -> State { State() }
}

// MARK: Actions

extension AgendaWorkflow {
  enum Action: WorkflowAction {
    typealias WorkflowType = AgendaWorkflow

    case lists(TodoWorkflow.Output)
    case read(AgendaWorker.Output)
    case selectedList(TodoListKey)
    case refused(TodoError, OperationToken?)
    /// Sets the filter. The second value contains the keys of all lists, because the filter can
    /// select lists.
    case filter(String, [TodoListKey], OperationToken?)
    case show(ListWindow)
    case close

    func apply(toState state: inout State) -> Output? {
      switch self {
      case .lists(.agendaWanted):
        state.isOpen = true
        (state.currentList, state.window) = (nil, nil)
        state.filter = ""
        return nil
      case .lists(let output): return output
      case .read(.success(let rows)):
        state.rows.update(to: rows)
        state.failure = nil
        return nil
      case .read(.failure(let error)):
        state.failure = error
        return nil
      case .selectedList(let list):
        (state.currentList, state.failure) = (list, nil)
        return nil
      case .refused(let error, let token):
        state.failure = error
        return token.map { .ended([OperationEnd($0, .failed(error))]) }
      case .filter(let text, let lists, let token): return filter(text, lists, token, &state)
      case .show(let window):
        state.window = window
        return nil
      case .close:
        state.isOpen = false
        state.rows = AgendaRows()
        return nil
      }
    }

    /// Sets the filter. If the filter is invalid, the agenda shows an error and stays unchanged.
    private func filter(
      _ text: String, _ lists: [TodoListKey], _ token: OperationToken?, _ state: inout State
    ) -> Output? {
      do throws(TodoError) {
        _ = try AgendaFilter(text, of: lists)
        (state.filter, state.failure) = (text.trimmed, nil)
        state.window?.offset = 0
        return token.map { .ended([OperationEnd($0, .shown)]) }
      } catch {
        state.failure = error
        return token.map { .ended([OperationEnd($0, .failed(error))]) }
      }
    }
  }
}

// MARK: Rendering

extension AgendaWorkflow {
  func render(state: State, context: RenderContext<AgendaWorkflow>) -> TodoWorkflow.Rendering {
    var rendering = renderLists(state, context)
    guard state.isOpen, let reads = directory.services.store.agenda else { return rendering }
    let lists = rendering.lists.map(\.key)
    let filter = (try? AgendaFilter(state.filter, of: lists)) ?? AgendaFilter(all: lists)
    let query = AgendaQuery(
      lists: filter.lists, today: today, offset: state.window?.offset ?? 0,
      limit: (state.window ?? window).limit ?? .max, includesPreviews: window.hasPreviews,
      filter: filter.text)
    let worker = AgendaWorker(
      query: query, readCounts: rendering.lists.map(\.readCount), reads: reads)
    context.awaitResult(for: worker) { Action.read($0) }
    let current = rendering.lists.first { $0.key == state.currentList }
    let openFront = rendering.lists.first(where: \.isOpen)?.front
    if openFront != nil { rendering.items.removeLast() }
    // A form with unsaved text is always in front, whichever list it belongs to.
    let unsaved = rendering.lists.first { $0.front?.hasUnsavedText ?? false }?.front
    let front = unsaved ?? current?.front ?? openFront
    rendering.items.append(screen(state, rendering, current, context))
    if let front { rendering.items.append(front) }
    return rendering
  }

  private func renderLists(
    _ state: State, _ context: RenderContext<AgendaWorkflow>
  ) -> TodoWorkflow.Rendering {
    let services = directory.services
    guard services.sources.count > 1 || services.hasHosts else {
      return TodoWorkflow(
        name: directory.name, services: services, source: services.sources.first ?? .local,
        today: today, window: window
      )
      .mapOutput { Action.lists($0) }
      .rendered(with: context)
    }
    return ListsWorkflow(
      directory: directory, today: today, window: window, isAgendaOpen: state.isOpen
    )
    .mapOutput { Action.lists($0) }
    .rendered(with: context)
  }

  private func screen(
    _ state: State, _ rendering: TodoWorkflow.Rendering, _ current: ListAccess?,
    _ context: RenderContext<AgendaWorkflow>
  ) -> AgendaScreen {
    let sink = context.makeSink(of: Action.self)
    let lists = rendering.lists
    func send(_ output: TodoListWorkflow.Output, to list: ListAccess?) {
      guard let list else { return }
      sink.send(.selectedList(list.key))
      list.send(output)
    }
    return AgendaScreen(
      name: directory.name, rows: state.rows,
      readOnlyLists: Set(lists.filter(\.isReadOnly).map(\.key)),
      drafted: Dictionary(
        lists.map { ($0.key, $0.drafted) }, uniquingKeysWith: { first, _ in first }),
      message: state.failure.map { ScreenMessage(.error, $0.message) } ?? current?.message,
      filter: state.filter, lists: lists.map { TodoSource.wireName(of: $0.key) },
      hasHistory: directory.services.store.history != nil,
      hasGroups: directory.services.store.groups != nil,
      onOutput: { output in
        switch output {
        case .item(let key, let output): send(output, to: lists.first { $0.key == key })
        case .itemsOfSeveralLists(let token): sink.send(.refused(.severalLists, token))
        case .history(let output): send(output, to: current ?? lists.first)
        case .filter(let text, let token): sink.send(.filter(text, lists.map(\.key), token))
        case .show(let window): sink.send(.show(window))
        case .close: sink.send(.close)
        }
      },
      onReopened: { text, token throws(ScreenOffer.Refusal) in
        guard let list = lists.first(where: { $0.key == text.draft.base.list }) else { return nil }
        for case let front? in lists.map(\.front) where front.hasUnsavedText {
          throw .unsaved(in: front.contents)
        }
        return { send(.reopen(text, token), to: list) }
      })
  }
}

extension TodoError {
  /// The error for an action on todos of several lists.
  fileprivate static let severalLists = TodoError(
    .validation, "These todos are in several lists. Select todos of one list. Nothing was changed.")
}
