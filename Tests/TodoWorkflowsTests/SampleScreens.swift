import ScreenModel
import TodoModel

@testable import TodoWorkflows

// Screens without sinks, for tests that need no more than some rendering.

extension WelcomeScreen {
  static var sample: WelcomeScreen {
    WelcomeScreen(
      name: "ann", isLoginEnabled: true, isBusy: false, attemptNumber: 0,
      onChanged: { _, _ in }, onLoginTapped: {}, onRegisterTapped: {})
  }
}

extension RegisterScreen {
  static var sample: RegisterScreen {
    RegisterScreen(
      username: "", problems: [], isPasswordTyped: false, isRegistering: false,
      isRegisterEnabled: false, attemptNumber: 0, onChanged: { _, _ in }, onRegisterTapped: {},
      onBackTapped: {})
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
  static var sample: TodoListScreen {
    TodoListScreen(
      name: "ann", rows: TodoRows(), filter: "", isLoading: false, onOutput: { _ in })
  }
}

extension TodoEditScreen {
  static var sample: TodoEditScreen {
    TodoEditScreen(
      draft: TodoEditDraft(Sample.todo()), problems: [], isSaving: false, isStale: false,
      isRemoved: false, isRemovalNews: false, onChanged: { _, _ in }, onSaveTapped: { _, _ in },
      onSaveAsNewTapped: { _, _ in }, onDiscardTapped: {})
  }
}

extension ListsScreen {
  static var sample: ListsScreen {
    ListsScreen(
      name: "ann", lists: [], onOpenTapped: { _ in }, onSyncTapped: {}, onLogOutTapped: { _ in })
  }
}

extension ConflictScreen {
  static var sample: ConflictScreen {
    ConflictScreen(
      sides: ConflictSides(TodoID("t1"), Sample.conflict()), merged: "",
      mergedEdit: .success(TodoEdit(isDone: true)),
      isSaving: false, onChanged: { _, _ in }, onDecided: { _, _, _ in }, onLeft: {})
  }
}

extension Operations {
  /// Answers everything alike.
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
      sync: {})
  }
}
