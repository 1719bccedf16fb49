import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// Edits the text of one todo. Unsaved text stays here until it is saved or discarded, whatever
/// happens to the todo elsewhere.
struct TodoEditWorkflow: Workflow {
  var todo: Todo
  var isSaving: Bool
  /// Why the last save did not work.
  var failure: TodoError?
  /// Whether the todo is not there any more.
  var isRemoved = false
  /// How often it was saved from here and stayed open.
  var saveCount = 0
  /// What was typed before this was opened again.
  var typed: TypedText?

  enum Output {
    /// `stays`: the editor is wanted on.
    case save(TodoEditDraft, stays: Bool, OperationToken?)
    /// Stores the text of a todo that is not there any more as another one.
    case saveAsNew(TodoEditDraft, stays: Bool, OperationToken?)
    case discard
  }
}

// MARK: State

extension TodoEditWorkflow {
  struct State: Equatable {
    var draft: TodoEditDraft
    /// What the todo was changed to elsewhere while there is unsaved text.
    fileprivate(set) var theirs: Todo?
    var isStale: Bool { theirs != nil }
    /// What the text was before somebody else changed it, the newest last. A keystroke can still be
    /// meant for it.
    fileprivate(set) var earlierDrafts: [TodoEditDraft] = []

    /// Whether the user has gone on since the last save did not work.
    fileprivate(set) var isFailureSeen = false

    /// How many are kept: renderings are soon seen.
    private static let earlierDraftCountMax = 4

    /// Takes what somebody else has made of the todo.
    fileprivate mutating func adopt(_ todo: Todo) {
      earlierDrafts = (earlierDrafts + [draft]).suffix(Self.earlierDraftCountMax)
      draft = TodoEditDraft(todo)
      theirs = nil
    }

    /// Takes what was typed, on a version of the todo that may not be the one that is shown: then
    /// it was changed elsewhere in that moment, or the server was started anew.
    fileprivate mutating func type(_ typed: FieldChanges, on version: Int64?) {
      let isText = !typed.fields.isEmpty || draft.isChanged
      if let version, isText, !draft.isTyped(on: version) {
        let earlier = earlierDrafts.last { $0.isTyped(on: version) }
        let shown = theirs ?? draft.base
        if let earlier, !isStale, !draft.isChanged {
          draft = earlier
        } else {
          draft.recordTyping(typed, onUnknown: version)
        }
        theirs = shown
      }
      draft.content = typed.applied(to: draft.content)
      // A text that equals its base or the stored text has nothing to keep. Were it left on its old
      // base, an undo of the save would count as no change.
      if let theirs, !draft.isChanged || draft.content == theirs.content.inForm {
        adopt(theirs)
      }
    }
  }

  func makeInitialState() -> State {
    var state = State(draft: TodoEditDraft(todo))
    if let typed { state.type(typed.changes, on: typed.version) }
    return state
  }

  func workflowDidChange(from previousWorkflow: TodoEditWorkflow, state: inout State) {
    if failure != previousWorkflow.failure { state.isFailureSeen = false }
    // What was saved from here is what was typed, but for the white space that titles lose.
    if saveCount != previousWorkflow.saveCount { return state.adopt(todo) }
    guard todo.version != state.draft.base.version else { return }
    if let unknown = state.draft.unknownBase {
      if unknown.version == todo.version {
        state.draft = state.draft.made(from: todo)
        state.theirs = nil
      } else {
        state.theirs = todo
      }
    } else if todo.content.inForm == state.draft.base.content.inForm {
      state.draft.base = todo
      state.theirs = nil
    } else if state.draft.isChanged {
      state.theirs = todo
    } else {
      state.adopt(todo)
    }
  }
}

extension TodoEditWorkflow: Equatable {}

// MARK: Actions

extension TodoEditWorkflow {
  enum Action: WorkflowAction {
    typealias WorkflowType = TodoEditWorkflow

    case changed(FieldChanges, version: Int64?)
    case saveTapped(stays: Bool, OperationToken?)
    case saveAsNewTapped(stays: Bool, OperationToken?)
    case discardTapped

    func apply(toState state: inout State) -> Output? {
      switch self {
      case .changed(let typed, let version):
        state.type(typed, on: version)
        state.isFailureSeen = true
        return nil
      case .saveTapped(let stays, let token):
        return .save(state.draft, stays: stays, token)
      case .saveAsNewTapped(let stays, let token):
        return .saveAsNew(state.draft, stays: stays, token)
      case .discardTapped: return .discard
      }
    }
  }
}

// MARK: Rendering

extension TodoEditWorkflow {
  func render(state: State, context: RenderContext<TodoEditWorkflow>) -> TodoEditScreen {
    let sink = context.makeSink(of: Action.self)
    return TodoEditScreen(
      draft: state.draft,
      problems: isRemoved ? state.draft.problemsAsNew : state.draft.problems, isSaving: isSaving,
      isStale: state.isStale, isRemoved: isRemoved, isRemovalNews: isRemoved && typed != nil,
      failure: state.isFailureSeen ? nil : failure,
      onChanged: { sink.send(.changed($0, version: $1)) },
      onSaveTapped: { sink.send(.saveTapped(stays: $0, $1)) },
      onSaveAsNewTapped: { sink.send(.saveAsNewTapped(stays: $0, $1)) },
      onDiscardTapped: { sink.send(.discardTapped) })
  }
}
