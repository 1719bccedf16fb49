import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// Edits the title and the note of one todo. What was typed stays here until it is saved or
/// discarded, whatever happens to the todo elsewhere.
struct TodoEditWorkflow: Workflow {
  var todo: Todo
  var isSaving: Bool
  /// Why the last save did not work.
  var failure: TodoError?

  enum Output {
    case save(TodoEditDraft, OperationToken?)
    case discard
  }
}

/// The text of an edit, and the todo that it was made from.
struct TodoEditDraft: Sendable, Equatable {
  var base: Todo
  /// The version that gave `base` its text. A tick gives it a new version, and leaves the text.
  var textVersion: Int64
  var title: String
  var note: String
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
    /// Whether the text was made from a version that is no longer known here. The store decides.
    fileprivate var isBaseLost = false

    /// How many are kept: renderings are soon seen.
    private static let earlierDraftCountMax = 4

    /// Takes what somebody else has made of the todo.
    fileprivate mutating func adopt(_ todo: Todo) {
      earlierDrafts = (earlierDrafts + [draft]).suffix(Self.earlierDraftCountMax)
      draft = TodoEditDraft(todo)
      theirs = nil
    }

    /// Makes the text anew from what the user saw, when it was changed elsewhere in that moment.
    fileprivate mutating func goBack(to seenVersion: Int64) {
      guard !isStale, !draft.isChanged, seenVersion != draft.textVersion else { return }
      theirs = draft.base
      if let earlier = earlierDrafts.last(where: { $0.textVersion == seenVersion }) {
        draft = earlier
      } else {
        draft.base.version = seenVersion
        isBaseLost = true
      }
    }

    /// Takes what was typed. When that is what it was made from, there is nothing to keep.
    fileprivate mutating func type(title: String?, note: String?) {
      if let title { draft.title = title }
      if let note { draft.note = note }
      if let theirs, !draft.isChanged, !isBaseLost { adopt(theirs) }
    }
  }

  func makeInitialState() -> State { State(draft: TodoEditDraft(todo)) }

  func workflowDidChange(from previousWorkflow: TodoEditWorkflow, state: inout State) {
    guard todo.version != state.draft.base.version else { return }
    if state.isBaseLost {
      state.theirs = todo
    } else if TodoEditDraft(todo).hasSameText(as: TodoEditDraft(state.draft.base)) {
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

extension TodoEditDraft {
  init(_ todo: Todo) {
    self.init(
      base: todo, textVersion: todo.version, title: todo.content.title, note: todo.content.note)
  }

  /// Byte for byte, for an edit may change nothing but the spelling of an accent.
  static func == (a: TodoEditDraft, b: TodoEditDraft) -> Bool {
    a.base == b.base && a.textVersion == b.textVersion && a.hasSameText(as: b)
  }

  func hasSameText(as other: TodoEditDraft) -> Bool {
    title.hasSameBytes(as: other.title) && note.hasSameBytes(as: other.note)
  }

  var isChanged: Bool { !hasSameText(as: TodoEditDraft(base)) }

  /// The edit that saves this draft: only what was changed.
  ///
  /// A title that a source delivered may break our own rules; untouched, it is not sent back.
  func edit() throws(TodoError) -> TodoEdit {
    try TodoEdit(
      title: title.hasSameBytes(as: base.content.title) ? nil : title,
      note: note.hasSameBytes(as: base.content.note) ? nil : note, expectedVersion: base.version)
  }

  var problems: [FieldProblem] {
    do throws(TodoError) {
      _ = try edit()
      return []
    } catch {
      return error.fields
    }
  }
}

// MARK: Actions

extension TodoEditWorkflow {
  enum Action: WorkflowAction {
    typealias WorkflowType = TodoEditWorkflow

    case changed(title: String?, note: String?, seenVersion: Int64?)
    case saveTapped(OperationToken?)
    case discardTapped

    func apply(toState state: inout State) -> Output? {
      switch self {
      case .changed(let title, let note, let seenVersion):
        if let seenVersion { state.goBack(to: seenVersion) }
        state.type(title: title, note: note)
        return nil
      case .saveTapped(let token): return .save(state.draft, token)
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
      draft: state.draft, problems: state.draft.problems, isSaving: isSaving,
      isStale: state.isStale, failure: failure,
      onChanged: { sink.send(.changed(title: $0, note: $1, seenVersion: $2)) },
      onSaveTapped: { sink.send(.saveTapped($0)) },
      onDiscardTapped: { sink.send(.discardTapped) })
  }
}
