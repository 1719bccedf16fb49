import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// Shows the sides of a conflict, and lets a person decide.
struct ConflictWorkflow: Workflow, Equatable {
  var sides: ConflictSides
  var isSaving: Bool
  /// Why the last decision could not be saved.
  var failure: TodoError?
  /// What was typed over the proposal before this was opened again.
  var typed: TypedText?

  enum Output {
    /// `stays`: the text of the todo is wanted on.
    case decide(Resolution, version: Int64, stays: Bool, OperationToken?)
    /// It stays a conflict.
    case leave
  }
}

// MARK: State

extension ConflictWorkflow {
  /// What was typed over the proposal: the merged text.
  struct State: Equatable {
    var merged: String
    /// The version that the user has seen, where that is not the one that is shown.
    var seenVersion: Int64?
    /// Whether the user has gone on since the last decision could not be saved.
    var isFailureSeen = false

    static func == (a: State, b: State) -> Bool {
      a.merged.hasSameBytes(as: b.merged) && a.seenVersion == b.seenVersion
        && a.isFailureSeen == b.isFailureSeen
    }
  }

  func makeInitialState() -> State {
    if let typed, case .merged(let text) = typed.form {
      return State(merged: text, seenVersion: typed.version)
    }
    return State(merged: TodoText.text(of: sides.merge.proposal))
  }

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
    case decided(Resolution, version: Int64, stays: Bool, OperationToken?)
    case left

    func apply(toState state: inout State) -> Output? {
      switch self {
      case .changed(let text, let version):
        if let text { state.merged = text }
        if let version { state.seenVersion = version }
        state.isFailureSeen = true
        return nil
      case .decided(let resolution, let version, let stays, let token):
        return .decide(resolution, version: version, stays: stays, token)
      case .left: return .leave
      }
    }
  }
}

// MARK: Rendering

extension ConflictWorkflow {
  func render(state: State, context: RenderContext<ConflictWorkflow>) -> ConflictScreen {
    let sink = context.makeSink(of: Action.self)
    let version = state.seenVersion ?? sides.version
    let merged = Result { () throws(TodoError) in
      let (title, note) = TodoText.split(state.merged)
      return try TodoEdit(title: title, note: note)
    }
    return ConflictScreen(
      sides: sides, merged: state.merged, mergedEdit: merged, isSaving: isSaving,
      failure: state.isFailureSeen ? nil : failure,
      onChanged: { sink.send(.changed(merged: $0, version: $1)) },
      onDecided: { sink.send(.decided($0, version: version, stays: $1, $2)) },
      onLeft: { sink.send(.left) })
  }
}
