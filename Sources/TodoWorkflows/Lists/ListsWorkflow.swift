import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// A workflow for a user with several lists. It records which list is open, and performs operations
/// on all lists.
///
/// The workflow of each list runs from the login until the logout, even if another list is open.
/// Therefore, the changes of a list are sent even while the user sees another list.
struct ListsWorkflow: Workflow {
  var directory: ListDirectory
  var today: CivilDay
  /// The initial window of each list: the part that the front-end shows.
  var window = ListWindow.whole
  /// Whether the agenda is open. The agenda shows todos of all lists.
  var isAgendaOpen = false

  typealias Output = TodoWorkflow.Output
}

// MARK: State

extension ListsWorkflow {
  struct State: Equatable {
    /// The names of the sources whose list workflows still run. After a logout, these workflows end
    /// one by one.
    var present: Set<String>
    /// The name that the source of the open list has on the wire; `nil` if no list is open.
    var open: String?
    /// For each list, the number of times that an undo or redo in another list has changed this
    /// list. The key is the name of the list's source.
    var foreignChangeCounts: [String: Int] = [:]
    /// The running operations that sync all lists.
    var syncs: [JoinedSync] = []
    /// The outcomes to report when the workflows of all lists have ended after a logout; `nil`
    /// before a logout.
    var leaving: [OperationEnd]?
  }

  /// An operation that syncs all lists, and reports a single outcome.
  struct JoinedSync: Equatable {
    var token: OperationToken
    /// The number of lists whose sync has not ended yet.
    var missing: Int
    var report = SyncReport()
    var failure: TodoError?
  }

  /// Returns the initial state. If there is only one list, this list is open. More lists can be
  /// added later if the source is a server with several lists.
  func makeInitialState() -> State {
    let sources = directory.services.sources
    return State(
      present: Set(sources.map(\.name)), open: sources.count == 1 ? sources[0].wireName : nil)
  }

  /// Adds the lists that were found during the session.
  func workflowDidChange(from previousWorkflow: ListsWorkflow, state: inout State) {
    let (services, known) = (directory.services, previousWorkflow.directory.services)
    guard services != known, state.leaving == nil else { return }
    state.present.formUnion(
      Set(services.sources.map(\.name)).subtracting(known.sources.map(\.name)))
  }
}

// MARK: Actions

extension ListsWorkflow {
  enum Action: WorkflowAction {
    typealias WorkflowType = ListsWorkflow

    case opened(String)
    case syncingAll(OperationToken, count: Int)
    /// The user logs out. The value is the outcome to report to the client.
    case leaving(OperationEnd?)
    case cancel(OperationToken)
    case list(TodoWorkflow.Output, source: String)

    func apply(toState state: inout State) -> Output? {
      switch self {
      case .opened(let name):
        state.open = name
        return nil
      case .syncingAll(let token, let count):
        state.syncs.append(JoinedSync(token: token, missing: count))
        return nil
      case .leaving(let end):
        state.leave([end].compactMap { $0 })
        return nil
      case .cancel(let token):
        state.syncs.removeAll { $0.token == token }
        state.leaving?.removeAll { $0.token == token }
        return nil
      case .list(.closed, _):
        state.open = nil
        return nil
      case .list(.agendaWanted, _): return .agendaWanted
      case .list(.ended(let ends), let source):
        for case .listOpened(let name) in ends.map(\.outcome) { state.open = name }
        return .reported(ends.compactMap { state.join($0, of: source) })
      case .list(.changedOtherList(let list, let ends), let source):
        state.foreignChangeCounts[list.source, default: 0] += 1
        return .reported(ends.compactMap { state.join($0, of: source) })
      case .list(.progressed(let tokens, let progress), _): return .progressed(tokens, progress)
      case .list(.loggedOut(let ends), let source):
        state.present.remove(source)
        state.leave(ends.compactMap { state.join($0, of: source) })
        return state.present.isEmpty ? .loggedOut(state.leaving ?? []) : nil
      }
    }
  }
}

extension ListsWorkflow.State {
  /// Handles the outcome of an operation on one list.
  ///
  /// - Returns: The outcome to report; `nil` if the operation syncs all lists and still waits for
  ///   other lists.
  fileprivate mutating func join(_ end: OperationEnd, of source: String) -> OperationEnd? {
    guard let index = syncs.firstIndex(where: { $0.token == end.token }) else { return end }
    syncs[index].missing -= 1
    switch end.outcome {
    case .synced(let report): syncs[index].report.add(report)
    case .failed(var error):
      error.message = "\(source): \(error.message)"
      syncs[index].failure = error
    case .loggedIn, .registered, .loggedOut, .loaded, .page, .answered, .changed, .lists,
      .listOpened, .watching, .removed, .forgotten, .restored, .document, .shown, .saved, .acted,
      .needsDecision,
      .rendering,
      .refused,
      .cancelled:
      break
    }
    guard syncs[index].missing == 0 else { return nil }
    let sync = syncs.remove(at: index)
    return OperationEnd(end.token, sync.failure.map { .failed($0) } ?? .synced(sync.report))
  }

  /// Begins the logout of all lists. Any list can request it.
  fileprivate mutating func leave(_ ends: [OperationEnd]) { leaving = (leaving ?? []) + ends }
}

// MARK: Rendering

extension ListsWorkflow {
  func render(state: State, context: RenderContext<ListsWorkflow>) -> TodoWorkflow.Rendering {
    let sources = directory.services.sources.filter { state.present.contains($0.name) }
    let lists = sources.map { source in
      TodoWorkflow(
        name: directory.name, services: directory.services, source: source, today: today,
        window: window, isLeaving: state.leaving != nil,
        foreignChangeCount: state.foreignChangeCounts[source.name] ?? 0,
        isInFront: isAgendaOpen || state.open == source.wireName
      )
      .mapOutput { Action.list($0, source: source.name) }
      .rendered(with: context, key: source.name)
    }
    let sink = context.makeSink(of: Action.self)
    let open = sources.firstIndex { $0.wireName == state.open }
    let screen = ListsScreen(
      name: directory.name, lists: lists.compactMap(\.summary),
      onOpenTapped: { sink.send(.opened($0)) },
      onReopened: { text, token throws(ScreenOffer.Refusal) in
        let source = text.draft.base.list.source
        guard let index = sources.firstIndex(where: { $0.name == source }) else { return nil }
        if let front = lists[index].items.last, front.hasUnsavedText {
          throw .unsaved(in: front.contents)
        }
        return {
          sink.send(.opened(sources[index].wireName))
          lists[index].reopen(text, token)
        }
      },
      onSyncTapped: { for list in lists { list.sync() } },
      onLogOutTapped: { token in sink.send(.leaving(token.map { OperationEnd($0, .shown) })) })
    return TodoWorkflow.Rendering(
      items: (directory.services.sources.count > 1 ? [screen] : [])
        + (open.map { lists[$0].items } ?? []),
      operations: operations(
        state, lists, open.map { (sources[$0], lists[$0]) },
        failures: Dictionary(
          zip(sources.map(\.name), lists.map(\.summary?.failure)), uniquingKeysWith: { a, _ in a }),
        sink),
      summary: nil, sync: {}, reopen: { _, _ in },
      unsavedTexts: lists.flatMap(\.unsavedTexts),
      lists: lists.indices.flatMap { index in
        lists[index].lists.map { list in
          var list = list
          list.isOpen = index == open
          return list
        }
      })
  }

  private func operations(
    _ state: State, _ lists: [TodoWorkflow.Rendering],
    _ open: (source: TodoSource, list: TodoWorkflow.Rendering)?,
    failures: [String: SyncFailure?], _ sink: Sink<Action>
  ) -> Operations {
    Operations(
      begin: { operation, token in
        do throws(TodoError) {
          switch operation {
          case _ where state.leaving != nil: throw .notLoggedIn
          case .lists:
            return .lists(try directory.summaries(open: open?.source, failures: failures))
          case .watch: return .watching(try directory.watchedChanges())
          case .openList(let name):
            // The open list must first finish its operations, because later requests concern the
            // new list.
            let outcome: TodoOutcome? =
              if let open {
                open.list.operations.begin(operation, token)
              } else {
                .listOpened(source: try directory.source(named: name).wireName)
              }
            if case .listOpened(let source) = outcome { sink.send(.opened(source)) }
            return outcome
          case .sync(let request) where request.isForAll && lists.count > 1:
            if request.isDryRun { return .answered(.planned(try directory.plan())) }
            sink.send(.syncingAll(token, count: lists.count))
            for list in lists { _ = list.operations.begin(.sync(SyncRequest()), token) }
            return nil
          case .logOut:
            sink.send(.leaving(OperationEnd(token, .loggedOut)))
            return nil
          case .logIn, .register, .load, .sync, .list, .invalid:
            guard let open else { throw Self.noListOpen }
            return open.list.operations.begin(operation, token)
          }
        } catch {
          return .failed(error)
        }
      },
      cancel: { token in
        sink.send(.cancel(token))
        for list in lists { list.operations.cancel(token) }
      },
      isWaiting: { token in
        state.syncs.contains { $0.token == token }
          || (state.leaving ?? []).contains { $0.token == token }
          || lists.contains { $0.operations.isWaiting(token) }
      })
  }

  private static let noListOpen = TodoError(
    .validation, "There are several lists. Choose one first, with openList.")
}

extension SyncReport {
  /// Adds the counts and failures from the sync of another list. `retryAt` becomes the later of
  /// both times.
  fileprivate mutating func add(_ other: SyncReport) {
    pushed += other.pushed
    pulled += other.pulled
    merged += other.merged
    conflicts += other.conflicts
    failed += other.failed
    retryAt = [retryAt, other.retryAt].compactMap { $0 }.max()
  }
}
