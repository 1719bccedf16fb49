import ScreenModel
import TodoModel

@testable import TodoWorkflows

// Screens without sinks, for tests that need any rendering.

extension WelcomeScreen {
  static var sample: WelcomeScreen {
    WelcomeScreen(
      name: "ann", isBusy: false, attemptNumber: 0,
      onChanged: { _, _ in }, onLoginTapped: {}, onRegisterTapped: {})
  }
}

extension RegisterScreen {
  static var sample: RegisterScreen {
    RegisterScreen(
      username: "", password: Secret(""), isRegistering: false, isLoggingIn: false,
      attemptNumber: 0, onChanged: { _, _ in }, onRegisterTapped: {}, onBackTapped: {})
  }

  static var registering: RegisterScreen {
    var screen = sample
    screen.isRegistering = true
    return screen
  }
}

extension FailureScreen {
  static var sample: FailureScreen {
    FailureScreen(title: "t", error: Sample.error, onRetryTapped: {}, onBackTapped: {})
  }
}

extension LoadingScreen {
  static var sample: LoadingScreen {
    LoadingScreen(progress: LoadProgress(pagesDone: 0), onCancelTapped: {})
  }
}

extension TodoListScreen {
  static var sample: TodoListScreen { sample() }

  static func sample(
    key: TodoListKey = .local, rows: TodoRows = TodoRows(), removedWithDraft: [DraftedTodo] = [],
    filter: String = "", status: ListStatus? = nil, source: String? = nil,
    hasAgenda: Bool = false
  ) -> TodoListScreen {
    TodoListScreen(
      key: key, rows: rows, removedWithDraft: removedWithDraft, filter: filter, selection: nil,
      message: nil, isLoading: false, status: status, hasHistory: true, hasGroups: true,
      hasRemoved: true, hasOrdering: true, hasAgenda: hasAgenda, source: source, onOutput: { _ in })
  }
}

extension AgendaScreen {
  static var sample: AgendaScreen {
    AgendaScreen(
      name: "ann", rows: AgendaRows(), drafted: [:], hasHistory: true, hasGroups: true,
      onOutput: { _ in }, onReopened: { _, _ in nil })
  }
}

extension DraftsScreen {
  static var sample: DraftsScreen {
    DraftsScreen(
      choice: .sample, onOpenTapped: { _, _ in }, onDiscardTapped: { _, _ in }, onBackTapped: {})
  }
}

extension DraftChoice {
  static var sample: DraftChoice {
    let drafts = [("new", 7), ("old", 3)].map { text, number in
      StoredDraft(
        number: number,
        draft: Draft(
          base: EditBase(list: .local, id: TodoID("t1"), version: 1), edit: .merged(text)),
        typedAt: Timestamp(milliseconds: number), title: "Buy milk")
    }
    guard let choice = DraftChoice(drafts) else { preconditionFailure("Two drafts are a choice.") }
    return choice
  }
}

extension TodoEditScreen {
  static var sample: TodoEditScreen {
    TodoEditScreen(
      form: TodoForm(Sample.todo(), in: .local), isSaving: false, labels: [],
      onChanged: { _, _ in },
      onSaveTapped: { _, _ in }, onSaveAsNewTapped: { _, _ in }, onDiscardTapped: { _ in })
  }
}

extension ListsScreen {
  static var sample: ListsScreen {
    ListsScreen(
      name: "ann", lists: [], onOpenTapped: { _ in }, onReopened: { _, _ in nil }, onSyncTapped: {},
      onLogOutTapped: { _ in })
  }
}

extension RemovedScreen {
  static var sample: RemovedScreen {
    RemovedScreen(
      list: RemovedList([], in: .local, window: .whole), onRestoreTapped: { _, _ in },
      onForgetTapped: { _, _ in }, onWindowChanged: { _ in }, onBackTapped: {})
  }
}

extension ConflictScreen {
  static var sample: ConflictScreen {
    ConflictScreen(
      comparison: Comparison(ConflictSides(TodoID("t1"), Sample.conflict()), in: .local),
      isSaving: false, onChanged: { _, _ in }, onDecided: { _, _, _ in }, onLeft: { _ in })
  }
}

extension Operations {
  /// Returns operations that all have the same outcome.
  static func answering(_ outcome: TodoOutcome) -> Operations {
    Operations(begin: { _, _ in outcome }, cancel: { _ in }, isWaiting: { _ in false })
  }
}

extension TodoWorkflow.Rendering {
  static func sample(
    _ items: [any DescribableScreen], _ operations: Operations
  ) -> TodoWorkflow.Rendering {
    TodoWorkflow.Rendering(
      items: items, operations: operations,
      summary: ListSummary(source: "local", total: 0, counts: SyncCounts(), isOpen: true),
      sync: {}, reopen: { _, _ in }, unsavedTexts: [], lists: [])
  }
}
