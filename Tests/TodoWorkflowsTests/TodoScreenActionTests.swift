import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Actions of the screens on the list")
struct TodoScreenActionTests {
  private let token = Sample.token

  @Test("The list passes on what its user wants")
  func list() {
    TodoListWorkflow.Action.tester(withState: ())
      .send(action: .init(output: .reload))
      .verifyOutput { output in
        guard case .reload = output else { return mismatch(output) }
      }
  }

  @Test("An edit takes what was typed, and saves or discards it")
  func edit() {
    let state = TodoEditWorkflow(todo: Sample.todo(), isSaving: false).makeInitialState()
    var typed = state.draft
    (typed.content.title, typed.content.note) = ("Oat milk", "")
    TodoEditWorkflow.Action.tester(withState: state)
      .send(action: .changed(FieldChanges(typed: ["title": "Oat milk"]), version: nil))
      .assertNoOutput()
      .send(action: .changed(FieldChanges(typed: ["note": ""]), version: 1)).assertNoOutput()
      .send(action: .saveTapped(stays: true, token))
      .verifyOutput { output in
        guard case .save(let draft, stays: true, token) = output else { return mismatch(output) }
        #expect(draft == typed)
      }
      .send(action: .discardTapped)
      .verifyOutput { output in
        guard case .discard = output else { return mismatch(output) }
      }
  }

  @Test("A draft saves what was changed, and nothing else")
  func draft() throws {
    var draft = TodoEditDraft(Sample.todo(version: 4))
    #expect(!draft.isChanged)
    #expect(try draft.edit() == TodoEdit(expectedVersion: 4))
    draft.content.note = "other"
    #expect(draft.isChanged)
    #expect(try draft.edit() == TodoEdit(note: "other", expectedVersion: 4))
    draft.content.title = ""
    #expect(draft.problems.map(\.field) == ["title"])
  }

  @Test("A title that a source delivered against the rules is not sent back")
  func deliveredTitle() throws {
    var draft = TodoEditDraft(Sample.todo("a\nb"))
    draft.content.note = "other"
    #expect(draft.problems == [])
    #expect(try draft.edit().changes.fields == [.note])
    draft.content.title = "a\nc"
    #expect(draft.problems.map(\.field) == ["title"])
  }

  @Test("A todo that moved on is taken over, unless there is unsaved text")
  func movedOn() {
    let first = TodoEditWorkflow(todo: Sample.todo(), isSaving: false)
    let second = TodoEditWorkflow(todo: Sample.todo("Soy milk", version: 2), isSaving: false)
    var untouched = first.makeInitialState()
    second.workflowDidChange(from: first, state: &untouched)
    #expect(untouched.draft == second.makeInitialState().draft)
    #expect(untouched.earlierDrafts == [TodoEditDraft(first.todo)])

    var typed = first.makeInitialState()
    typed.draft.content.note = "typed"
    second.workflowDidChange(from: first, state: &typed)
    #expect(typed.isStale)
    #expect(typed.draft.base == first.todo)
    #expect(typed.draft.content.note == "typed")

    var checked = first.makeInitialState()
    checked.draft.content.note = "typed"
    let third = TodoEditWorkflow(todo: Sample.todo(isDone: true, version: 2), isSaving: false)
    third.workflowDidChange(from: first, state: &checked)
    #expect(!checked.isStale)
    #expect(checked.draft.base == third.todo)
  }

  @Test("A conflict begins with the proposal, and what is decided goes out")
  func conflict() {
    let sides = ConflictSides(TodoID("t1"), Sample.conflict())
    let state = ConflictWorkflow(sides: sides, isSaving: false).makeInitialState()
    #expect(state.merged == "<<< Oat milk === Soy milk >>>\n\nmine")
    ConflictWorkflow.Action.tester(withState: state)
      .send(action: .changed(merged: "merged", version: nil)).assertNoOutput()
      .assert(state: .init(merged: "merged", isFailureSeen: true))
      .send(action: .left)
      .verifyOutput { output in
        guard case .leave = output else { return mismatch(output) }
      }
      .send(action: .decided(.keep(.mine), version: 2, stays: true, token))
      .verifyOutput { output in
        guard case .decide(.keep(.mine), version: 2, stays: true, token) = output else {
          return mismatch(output)
        }
      }
  }

  @Test("A failure is answered by retry or back")
  func failure() {
    FailureWorkflow.Action.tester(withState: ())
      .send(action: .retryTapped)
      .verifyOutput { #expect($0 == .retry) }
      .send(action: .backTapped)
      .verifyOutput { #expect($0 == .back) }
  }

  @Test("Loading shows how far it is, and passes its end on")
  func loading() {
    let progress = LoadProgress(pagesDone: 1, pageCount: 2)
    LoadingWorkflow.Action.tester(withState: .init())
      .send(action: .worker(.progressed(progress)))
      .verifyOutput { output in
        guard case .progressed(progress) = output else { return mismatch(output) }
      }
      .assert(state: .init(progress: progress))
      .send(action: .worker(.loaded(TodoRows())))
      .verifyOutput { output in
        guard case .loaded = output else { return mismatch(output) }
      }
      .send(action: .worker(.failed(Sample.error, rows: nil)))
      .verifyOutput { output in
        guard case .failed(Sample.error, rows: nil, _) = output else { return mismatch(output) }
      }
      .send(action: .cancelTapped)
      .verifyOutput { output in
        guard case .cancelled = output else { return mismatch(output) }
      }
  }
}
