import ScreenModel
import TestSupport
import Testing
import TodoModel

@testable import TodoWorkflows

/// Tests the due date, the labels and the priority in the form of a todo.
@Suite struct FormFieldTests {
  private func todo(_ content: TodoContent, version: Int64 = 1) -> Todo {
    var todo = Sample.todo("Plan")
    (todo.content, todo.version) = (content, version)
    return todo
  }

  private func changes(_ texts: [String: String]) -> FieldChanges { FieldChanges(texts: texts) }

  private func shown(_ form: TodoForm) -> [ContentField] {
    ContentField.inForm.filter { form.shownFields.contains($0) }
  }

  @Test func fieldsWithoutAValueAreNotShown() {
    let plain = TodoForm(todo(TodoContent(title: "Plan")), in: .local)
    #expect(shown(plain) == [.title, .note])
    let dated = TodoForm(todo(TodoContent(title: "Plan", due: DueDate("2026-12-01"))), in: .local)
    #expect(shown(dated) == [.title, .due, .note])
  }

  @Test func shownFieldsStayWhileTheFormIsOpen() {
    var form = TodoForm(todo(TodoContent(title: "Plan", priority: .low)), in: .local)
    form.follow(todo(TodoContent(title: "Plan", due: DueDate("2026-12-01")), version: 2))
    #expect(shown(form) == [.title, .priority, .note])
    form.apply(changes(["priority": ""]), basedOn: nil)
    #expect(shown(form) == [.title, .priority, .note])
    form.apply(changes(["due": "tomorrow"]), basedOn: nil)
    #expect(shown(form) == [.title, .due, .priority, .note])
  }

  @Test func hiddenValuesThatAreSetElsewhereAreNotReplacedUnseen() {
    for version: Int64? in [2, nil] {
      var form = TodoForm(todo(TodoContent(title: "Plan"), version: 1), in: .local)
      form.follow(todo(TodoContent(title: "Plan", due: DueDate("2026-12-01")), version: 2))
      form.apply(changes(["title": "Plans"]), basedOn: version)
      #expect(form.editBase.version == 2)
      for _ in 1...2 {
        form.apply(changes(["due": "2026-12-31"]), basedOn: version)
        #expect(form.editBase.version == 1)
      }
    }
  }

  /// The base of a form shows which stored values the user has not seen. Another server, or a form
  /// that is opened again, can then merge the user's value with such a stored value instead of
  /// overwriting it.
  @Test func baseNamesTheFieldsThatTheUserHasSeen() {
    var form = TodoForm(todo(TodoContent(title: "Plan"), version: 1), in: .local)
    form.follow(todo(TodoContent(title: "Plan", due: DueDate("2026-12-01")), version: 2))
    #expect(form.baseText.hasSuffix("/1/title,note,labels,priority@2"))
    #expect(form.formBase.version(of: [.due, .title]) == 1)
    #expect(form.formBase.version(of: [.title]) == 2)
    form.apply(changes(["title": "Plans"]), from: form.formBase)
    #expect(form.baseText.hasSuffix("/1/title,note,labels,priority@2"))
    form.follow(todo(TodoContent(title: "Plan", due: DueDate("2026-12-02")), version: 3))
    #expect(form.baseText.hasSuffix("/1/title,note,labels,priority@2"))
    form.apply(changes(["title": "Plan"]), from: form.formBase)
    #expect(form.baseText.hasSuffix("/1/title,note,labels,priority@3"))
  }

  @Test func typedTextStaysUnchangedUntilItIsSaved() throws {
    var form = TodoForm(todo(TodoContent(title: "Plan", labels: LabelSet(["a"]))), in: .local)
    form.apply(changes(["due": "tomorrow 17:30", "labels": "b  a"]), basedOn: nil)
    #expect(form.edits.text(of: .due, in: form.content) == "tomorrow 17:30")
    #expect(form.edits.text(of: .labels, in: form.content) == "b  a")
    #expect(form.problems().isEmpty)
    let today = try #require(CivilDay("2026-12-31"))
    let edit = try form.edit().resolved(on: today)
    let content = edit.applied(to: form.todo.content)
    #expect(content.due == DueDate("2027-01-01T17:30"))
    #expect(content.labels.texts == ["a", "b"])
    form.apply(changes(["due": "someday"]), basedOn: nil)
    #expect(form.problems().map(\.field) == ["due"])
    #expect(form.draft?.changes.typed[.due] == "someday")
  }

  @Test func storedTextIsNotAnEdit() {
    let content = TodoContent(
      title: "Plan", due: DueDate("2026-12-01"), labels: LabelSet(["a", "two words"]))
    var form = TodoForm(todo(content), in: .local)
    form.apply(
      changes(["due": "2026-12-01", "labels": "a \"two words\"", "title": "Plan"]), basedOn: nil)
    #expect(!form.hasEdits)
  }

  @Test func removedTodoIsSavedAsANewOneWithItsFields() throws {
    var form = TodoForm(
      todo(TodoContent(title: "Plan", labels: LabelSet(["a"]), priority: .high)), in: .local)
    form.apply(changes(["due": "2026-12-01"]), basedOn: nil)
    form.markRemoved()
    let today = try #require(CivilDay("2026-12-31"))
    let draft = try form.newTodo().resolved(on: today)
    #expect(
      draft.content
        == TodoContent(
          title: "Plan", due: DueDate("2026-12-01"), labels: LabelSet(["a"]), priority: .high))
  }
}
