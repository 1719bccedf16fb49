import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// Shows the three sides of a conflict, and lets a person decide.
struct ConflictWorkflow: Workflow, Equatable {
  var id: TodoID
  var conflict: TodoConflict
  var isSaving: Bool
  /// Why the last decision could not be saved.
  var failure: TodoError?

  enum Output {
    case takeTheirs
    case save(TodoEdit, OperationToken?)
  }
}

// MARK: State

extension ConflictWorkflow {
  /// What was typed over `mine`: the merged text.
  struct State: Equatable {
    var merged: String
    /// The version of theirs that the user has seen, where that is not the one that is shown.
    var seenVersion: Int64?
    /// Whether the user has gone on since the last decision could not be saved.
    var isFailureSeen = false

    static func == (a: State, b: State) -> Bool {
      a.merged.hasSameBytes(as: b.merged) && a.seenVersion == b.seenVersion
        && a.isFailureSeen == b.isFailureSeen
    }
  }

  func makeInitialState() -> State { State(merged: TodoText.text(of: conflict.mine)) }

  /// What a save has met is shown.
  func workflowDidChange(from previousWorkflow: ConflictWorkflow, state: inout State) {
    guard previousWorkflow.isSaving, !isSaving else { return }
    (state.seenVersion, state.isFailureSeen) = (nil, false)
  }
}

// MARK: Actions

extension ConflictWorkflow {
  enum Action: WorkflowAction {
    typealias WorkflowType = ConflictWorkflow

    case changed(merged: String?, version: Int64?)
    case takeTheirsTapped
    case save(TodoEdit, OperationToken?)

    func apply(toState state: inout State) -> Output? {
      switch self {
      case .changed(let text, let version):
        if let text { state.merged = text }
        if let version { state.seenVersion = version }
        state.isFailureSeen = true
        return nil
      case .takeTheirsTapped: return .takeTheirs
      case .save(let edit, let token): return .save(edit, token)
      }
    }
  }
}

// MARK: Rendering

extension ConflictWorkflow {
  func render(state: State, context: RenderContext<ConflictWorkflow>) -> ConflictScreen {
    let sink = context.makeSink(of: Action.self)
    let version = state.seenVersion ?? conflict.theirVersion
    let mine = conflict.mine
    var keepMine = TodoEdit(isDone: mine.isDone)
    keepMine.title = mine.title
    keepMine.note = mine.note
    keepMine.expectedVersion = version
    let merged = Result { () throws(TodoError) in
      let (title, note) = TodoText.split(state.merged)
      return try TodoEdit(
        title: title, note: note, isDone: mine.isDone, expectedVersion: version)
    }
    return ConflictScreen(
      id: id, conflict: conflict, merged: state.merged, mergedEdit: merged, isSaving: isSaving,
      failure: state.isFailureSeen ? nil : failure,
      onChanged: { sink.send(.changed(merged: $0, version: $1)) },
      onKeepMineTapped: { [keepMine] in sink.send(.save(keepMine, $0)) },
      onTakeTheirsTapped: { sink.send(.takeTheirsTapped) },
      onSaveMergedTapped: { token in
        if case .success(let edit) = merged { sink.send(.save(edit, token)) }
      })
  }
}
