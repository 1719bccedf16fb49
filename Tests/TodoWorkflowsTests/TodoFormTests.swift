import Testing
import TodoModel

@testable import TodoWorkflows

@Suite("The form of a todo")
struct TodoFormTests {
  private func form(_ todo: Todo = Sample.todo()) -> TodoForm { TodoForm(todo, in: .local) }

  private func typed(_ texts: [String: String]) -> FieldChanges { FieldChanges(texts: texts) }

  /// Returns the form after a save of `form` that has stored `todo`.
  private func saved(_ form: TodoForm, as todo: Todo) throws -> TodoForm {
    TodoForm(todo, after: form, storing: try form.edit().resolved(on: .first))
  }

  @Test("A save has only the fields that the user changed")
  func edit() throws {
    var form = form(Sample.todo(version: 4))
    #expect(form.draft == nil)
    #expect(try form.edit() == TodoEdit(expectedVersion: 4))
    form.apply(typed(["note": "other"]), basedOn: nil)
    #expect(try form.edit() == TodoEdit(note: "other", expectedVersion: 4))
    form.apply(typed(["title": ""]), basedOn: 4)
    #expect(form.problems().map(\.field) == ["title"])
    #expect(form.draft?.base == EditBase(list: .local, id: TodoID("t1"), version: 4))
  }

  @Test("After a save, merged fields that the user has not edited keep their base")
  func baseAfterSaving() throws {
    var form = form(Sample.todo("Milk", version: 4))
    form.apply(typed(["note": "other"]), basedOn: 4)
    var stored = form.todo
    (stored.version, stored.content.note) = (5, "other")
    #expect(try saved(form, as: stored).lastSave?.base.text == "ann/local/t1/5")
    stored.content.isDone.toggle()
    #expect(try saved(form, as: stored).lastSave?.base.text == "ann/local/t1/5")
    stored.content.title = "Soy milk"
    let base = try saved(form, as: stored).lastSave?.base
    #expect(base?.text == "ann/local/t1/4/note,due,labels,priority@5")
  }

  /// The base is unknown, because no stored version has exactly the labels that the user has saved.
  /// If the user then types another label, it is added to the stored labels.
  @Test("After a save, labels that were merged with others' labels have an unknown base")
  func labelsAfterSaving() throws {
    var form = form(Sample.todo("Milk", version: 4))
    form.apply(typed(["labels": "shop"]), basedOn: 4)
    var stored = form.todo
    (stored.version, stored.content.labels) = (6, LabelSet(["home", "shop"]))
    let base = try #require(try saved(form, as: stored).lastSave?.base)
    #expect(base.version(of: [.labels]) == 0)
    #expect(base.version(of: [.title, .note]) == 6)
  }

  @Test("After a save without changes, text keeps the base that the front-end has sent")
  func baseAfterSavingNothing() throws {
    var form = form(Sample.todo("Milk", version: 4))
    let sent = FormBase(form.editBase)
    var newer = form.todo
    (newer.version, newer.content.note) = (5, "theirs")
    form.follow(newer)
    for values in [[:], ["title": "Milk"], ["note": "note"]] {
      var form = form
      form.apply(typed(values), from: sent)
      let base = try #require(try saved(form, as: newer).lastSave?.base)
      #expect(base.version(of: [.note]) == 4, "\(values)")
    }
  }

  @Test("Text typed during a save does not conflict with the saved text")
  func typedDuringSave() throws {
    var form = form(Sample.todo("Milk", version: 4))
    form.apply(typed(["note": "two"]), basedOn: 4)
    var stored = form.todo
    (stored.version, stored.content.title, stored.content.note) = (6, "Soy milk", "two")
    var next = try saved(form, as: stored)
    let base = try #require(next.lastSave?.base)
    next.apply(typed(["note": "two litres"]), from: base)
    #expect(next.editBase.version == 6)
    #expect(!next.isStale)
    next.apply(typed(["title": "Milk today", "note": "two litres"]), from: base)
    #expect(next.editBase.version == 4, "the user may not have seen the merged title")
  }

  @Test("A new todo from the text of a removed one has versions of its own")
  func savedAsNew() {
    let base = EditBase(list: .local, id: TodoID("t9"), version: 4)
    let removed = TodoForm(
      removed: RestoredDraft(unstored: Draft(base: base, edit: .fields(typed(["note": "two"])))))
    var form = TodoForm(Sample.todo(version: 5), after: removed)
    form.apply(typed(["note": "two litres"]), basedOn: 4)
    #expect(form.editBase.version == 4)
  }

  @Test("A reverted edit leaves no edit")
  func takenBack() {
    var form = form()
    let note = form.content.note
    form.apply(typed(["note": "other"]), basedOn: 1)
    form.apply(typed(["note": note]), basedOn: 1)
    #expect(!form.hasEdits)
  }

  @Test("An edit of a copy leaves the form unchanged")
  func copy() {
    let form = form()
    var copy = form
    copy.apply(typed(["title": "Soy milk"]), basedOn: 1)
    #expect(!form.hasEdits)
    #expect(form != copy)
    copy.follow(Sample.todo("Soy milk", version: 2))
    #expect(form.todo.version == 1)
    #expect(copy == TodoForm(Sample.todo("Soy milk", version: 2), in: .local))
  }

  @Test("The identity and the base in the screen are those of the todo")
  func texts() {
    var form = form()
    #expect(form.baseText == form.editBase.text)
    form.follow(Sample.todo("Soy milk", version: 2))
    #expect(form.idText == form.editBase.todoText)
    #expect(form.baseText == form.editBase.text)
  }

  @Test("A title of a source that breaks the rules is not sent back")
  func titleOfSource() throws {
    var form = form(Sample.todo("a\nb"))
    form.apply(typed(["note": "other"]), basedOn: nil)
    #expect(form.problems() == [])
    #expect(try form.edit().changes.fields == [.note])
    form.apply(typed(["title": "a\nc"]), basedOn: nil)
    #expect(form.problems().map(\.field) == ["title"])
  }

  @Test("Without edits, the form follows the store")
  func follows() {
    var form = form()
    let newer = Sample.todo("Soy milk", version: 2)
    form.follow(newer)
    #expect(form == TodoForm(newer, in: .local))
  }

  @Test("Edits keep their base when the text changes elsewhere")
  func stale() {
    var form = form()
    form.apply(typed(["note": "other"]), basedOn: 1)
    form.follow(Sample.todo("Soy milk", version: 2))
    #expect(form.isStale)
    #expect(form.editBase.version == 1)
    #expect(form.content.title == Sample.todo().content.title)
    #expect(form.content.note == "other")
  }

  @Test("A text changed elsewhere and changed back is not the base of earlier edits")
  func changedBack() {
    let other = Sample.todo("Soy milk", version: 2)
    for versions in [[other, Sample.todo(version: 3)], [Sample.todo(version: 3)]] {
      var form = form()
      var edited = form
      edited.apply(typed(["note": "other"]), basedOn: 1)
      for version in versions {
        form.follow(version)
        edited.follow(version)
      }
      #expect(form.editBase.version == 3)
      form.apply(typed(["note": "other"]), basedOn: 1)
      #expect((form.editBase.version, edited.editBase.version) == (1, 1))
    }
  }

  @Test("A tick elsewhere updates the version of edits")
  func tick() {
    var form = form()
    form.apply(typed(["note": "other"]), basedOn: 1)
    form.follow(Sample.todo(isDone: true, version: 2))
    #expect(!form.isStale)
    #expect(form.editBase.version == 2)
    form.apply(typed(["note": "another"]), basedOn: 1)
    #expect(form.editBase.version == 2, "both versions have the same text")
  }

  @Test("An edit detects a change between two versions with equal text")
  func between() {
    var form = form()
    form.apply(typed(["note": "other"]), basedOn: 1)
    form.follow(Sample.todo("Soy milk", version: 2))
    form.follow(Sample.todo(version: 3))
    #expect(!form.isStale)
    form.apply(typed(["note": "another"]), basedOn: 2)
    #expect(form.editBase.version == 2)
    #expect(form.isStale)
  }

  @Test("A text that equals the stored one is not an edit")
  func equal() {
    var form = form()
    form.apply(typed(["title": "Soy milk"]), basedOn: 1)
    form.follow(Sample.todo("Soy milk", version: 2))
    #expect(!form.hasEdits)
    #expect(form.editBase.version == 2)
  }

  @Test("A note keeps its CR LF line endings, even if a widget sends LF")
  func lineEnds() throws {
    var todo = Sample.todo()
    todo.content.note = "one\r\ntwo\r\n"
    var form = form(todo)
    form.apply(typed(["title": "Soy milk", "note": "one\ntwo\n"]), basedOn: 1)
    #expect(try form.edit().changes.fields == [.title])
    form.apply(typed(["note": "one\ntwo\nthree\n"]), basedOn: 1)
    #expect(form.content.note == "one\r\ntwo\r\nthree\r\n")
  }

  @Test("A note with both kinds of line ends is stored as it was sent")
  func mixedLineEnds() {
    var todo = Sample.todo()
    todo.content.note = "one\r\ntwo\n"
    var form = form(todo)
    form.apply(typed(["note": "one\ntwo\n"]), basedOn: 1)
    #expect(form.content.note == "one\ntwo\n")
  }

  @Test("A removed todo keeps its title beside the text, which stays the same draft")
  func removedTitle() throws {
    let base = EditBase(list: .local, id: TodoID("t1"), version: 2)
    let draft = Draft(base: base, edit: .fields(typed(["note": "two"])))
    let form = TodoForm(
      removed: RestoredDraft(unstored: draft), Sample.todo("Milk", note: "one", version: 3))
    #expect(form.draft == draft)
    #expect(try form.newTodo().content == TodoContent(title: "Milk", note: "two"))
  }

  @Test("Text that was typed before a removed todo was changed keeps its base when it returns")
  func returnedTodo() throws {
    let base = EditBase(list: .local, id: TodoID("t1"), version: 2)
    let draft = Draft(base: base, edit: .fields(typed(["title": "Milk"])))
    let restored = RestoredDraft(unstored: draft)
    var form = TodoForm(removed: restored, Sample.todo("Milk", note: "changed", version: 4))
    form.apply(typed(["title": "Milk", "note": "one"]), basedOn: 2)
    #expect(form.editBase == base)
    form.follow(Sample.todo("Milk", note: "changed", version: 5))
    #expect(form.editBase == base, "a save is merged with the changed note")
  }

  @Test("The text of a removed todo is saved as a new one")
  func removed() throws {
    let base = EditBase(list: .local, id: TodoID("t1"), version: 3)
    let draft = Draft(base: base, edit: .fields(typed(["title": "Milk", "note": "two"])))
    let form = TodoForm(removed: RestoredDraft(unstored: draft))
    #expect(form.isRemoved)
    #expect(form.editBase == base)
    #expect(try form.newTodo() == NewTodo(title: "Milk", note: "two"))
  }
}
