import TodoModel

/// The form for a todo: the stored todo, and the user's unsaved edits with their base version.
///
/// Without edits, the form always shows the stored todo. Edits keep their base version until they
/// are saved or discarded, even if another client changes the todo.
struct TodoForm: Sendable, Equatable {
  let list: TodoListKey
  @Shared private var stored: Stored
  /// The fields that the form shows. While the form is open, a hidden field is added only when the
  /// user edits it. Editors can show the form as text with one line for each field, and other
  /// changes must not add lines to this text.
  private(set) var shownFields: ContentFieldSet
  /// The fields that got a value from another client while the form did not show these fields.
  private var unseenFields: ContentFieldSet = []
  /// The last version of the todo in which none of the `unseenFields` had a value; `nil` if
  /// `unseenFields` is empty.
  private var versionBeforeUnseen: Int64?
  /// The edited fields with their values. The values are not validated.
  @Shared private(set) var edits = FieldChanges()
  private var base: Base
  /// The changes and the base of the last request of a front-end; `nil` if the request had no base.
  @Shared private(set) var sent: Sent? = nil
  /// The save after which this form has stayed open; `nil` if there was none.
  private(set) var lastSave: LastSave?
  /// Whether another client has removed the todo.
  private(set) var isRemoved = false
  /// The error of the last save; `nil` after the next edit.
  var failure: TodoError?
  /// The unsaved text that was restored into the form; `nil` if there is none.
  @Shared private(set) var restored: RestoredDraft? = nil

  /// The todo as it is currently stored.
  private struct Stored: Sendable, Equatable {
    let todo: Todo
    /// The content of the todo, with only the fields that the form can contain.
    let content: Shared<TodoContent>
    /// The text form of the edits' base, without the version (see `EditBase.todoText`). The text is
    /// cached, because each rendering contains it twice.
    let idText: String

    init(_ todo: Todo, in list: TodoListKey) {
      self.todo = todo
      content = Shared(wrappedValue: todo.content.inForm)
      idText = EditBase(list: list, id: todo.id, version: todo.version).todoText
    }
  }

  /// The stored text on which the edits are based.
  private struct Base: Sendable, Equatable {
    /// Consecutive versions of the todo that have this text. There are several if only fields that
    /// the form does not show have changed, such as whether the todo is done.
    var versions: ClosedRange<Int64>
    /// The text; `nil` if the form does not have it, because the base is not the current version.
    var content: Shared<TodoContent>?

    init(_ stored: Stored) {
      self.init(version: stored.todo.version, content: stored.content)
    }

    init(version: Int64, content: Shared<TodoContent>? = nil) {
      (versions, self.content) = (version...version, content)
    }
  }

  /// Creates a form for a stored todo.
  ///
  /// - Parameter shownFields: The fields to show even if they have no value.
  init(_ todo: Todo, in list: TodoListKey, showing shownFields: ContentFieldSet = []) {
    let stored = Stored(todo, in: list)
    (self.list, base) = (list, Base(stored))
    self.stored = stored
    self.shownFields = ContentFieldSet(
      ContentField.inForm.filter { field in
        !field.isOptional || shownFields.contains(field) || todo.content[field] != nil
      })
  }

  /// Creates the form that replaces `form` after a save that does not close it.
  ///
  /// - Parameters:
  ///   - todo: The saved todo: the todo of `form`, or a new todo.
  ///   - edit: The edit that was merged into the todo; `nil` for a new todo.
  init(_ todo: Todo, after form: TodoForm, storing edit: TodoEdit? = nil) {
    self.init(todo, in: form.list, showing: form.shownFields)
    lastSave = LastSave(form, todo, edit)
  }

  /// Creates a form for a removed todo. The text of the form can be saved as a new todo.
  ///
  /// - Parameters:
  ///   - todo: The last version of the removed todo; `nil` if it is not known. Fields that are not
  ///     in the draft have the values of this version.
  ///   - baseContent: The content on which the draft is based; `nil` if it is not known.
  ///   - title: The title of the removed todo if `todo` is not known.
  init(
    removed restored: RestoredDraft, _ todo: Todo? = nil, baseContent: TodoContent? = nil,
    title: String = ""
  ) {
    let base = restored.draft.base
    self.init(todo ?? .unknown(base.id, title: title), in: base.list)
    isRemoved = true
    self.base = Base(
      version: base.version, content: baseContent.map { Shared(wrappedValue: $0.inForm) })
    restore(restored)
  }

  // MARK: The form

  /// The todo as it is currently stored.
  var todo: Todo { stored.todo }

  /// The text in the form: the edits, applied to the text on which they are based. If this text is
  /// not known, the edits are applied to the stored todo. Edits of a removed todo are applied to
  /// its last version, because they cannot be merged later.
  var content: TodoContent {
    let shown = isRemoved ? stored.content : base.content ?? stored.content
    return edits.applied(to: shown.wrappedValue)
  }

  /// Whether the source has refused the todo because the item no longer exists at the source.
  var isMissingAtSource: Bool {
    todo.sync == .failed && todo.failure?.kind == .notFound && todo.origin != nil
  }

  var hasEdits: Bool { !edits.fields.isEmpty }

  /// Whether another client has changed the text of the todo since the user began to edit it.
  var isStale: Bool { hasEdits && base.content != stored.content }

  var baseVersions: ClosedRange<Int64> { base.versions }
  /// The content on which the edits are based; `nil` if it is not known.
  var baseContent: TodoContent? { base.content?.wrappedValue }
  var editBase: EditBase { EditBase(list: list, id: todo.id, version: base.versions.upperBound) }

  /// The form's base, which the front-end sends back with edits.
  var formBase: FormBase {
    var form = FormBase(editBase, draft: restored?.number)
    if let versionBeforeUnseen, form.edit.version > versionBeforeUnseen {
      let seen = ContentField.inForm.filter { !unseenFields.contains($0) }
      form.newer = FormBase.NewerFields(ContentFieldSet(seen), version: form.edit.version)
      form.edit.version = versionBeforeUnseen
    }
    return form
  }

  /// The text form of `formBase`.
  var baseText: String {
    // Fast path: usually, the user has seen all fields.
    if versionBeforeUnseen == nil {
      return FormBase.text(idText, version: base.versions.upperBound, draft: restored?.number)
    }
    return formBase.text
  }
  /// The text form of `editBase`, without the version.
  var idText: String { stored.idText }

  /// The unsaved text; `nil` without unsaved text.
  var draft: Draft? {
    guard hasEdits else { return nil }
    guard let mine = hiddenEdit else { return Draft(base: editBase, edit: .fields(edits)) }
    return Draft(
      base: editBase,
      edit: .merged(TodoText.text(of: content), mine: mine.withOtherFields(of: edits)))
  }

  /// The user's edit that a save of the form would drop; `nil` if there is none.
  ///
  /// A save would drop an edit if both conditions hold:
  /// - The edit has caused a conflict, and the form shows the merged text of this conflict.
  /// - The text in the form lacks the title or the note of the edit.
  var hiddenEdit: Draft.ConflictingEdit? {
    guard let mine = restored?.draft.mine, !mine.isContained(in: content) else { return nil }
    return mine
  }

  /// Returns the edit that stores the text. It contains only the fields that the user has changed.
  ///
  /// Unchanged fields are not checked: a source can deliver values that a user could not enter.
  ///
  /// - Throws: `TodoError` of kind `validation`.
  func edit() throws(TodoError) -> TodoEdit {
    try TodoEdit(checking: edits, expectedVersion: editBase.version)
  }

  /// Returns a new todo with the text of the form.
  ///
  /// - Throws: `TodoError` of kind `validation`.
  func newTodo() throws(TodoError) -> NewTodo {
    var changes = FieldChanges(content, fields: .all)
    changes.merge(edits)
    return try NewTodo(checking: changes)
  }

  /// Returns the fields with invalid values, each with an error message.
  func problems(within limits: FieldLimits = .none) -> [FieldProblem] {
    do throws(TodoError) {
      return limits.problems(
        with: try isRemoved ? FieldChanges(newTodo().content, fields: .all) : edit().changes)
    } catch {
      return error.fields
    }
  }
}

// MARK: Edits

extension TodoForm {
  /// Applies edits that a front-end has sent with the base of its form. `base` is `nil` if the
  /// front-end has sent no base.
  mutating func apply(_ changes: FieldChanges, from base: FormBase?) {
    let base = base.map { lastSave?.base(of: $0) ?? $0 }
    sent = base.map { Sent(base: $0, changes: changes) }
    let fields = changes.fields.union(edits.fields)
    apply(changes, basedOn: base?.version(of: fields), draft: base?.draft)
  }

  /// Applies the user's edits to the form.
  ///
  /// - Parameters:
  ///   - version: The version of the todo that the user saw. It is not the current version if
  ///     another client has just changed the todo, or if the edits are unsaved text from before a
  ///     restart of the server.
  ///   - number: The number of the stored draft that the user saw in the form.
  mutating func apply(
    _ changes: FieldChanges, basedOn version: Int64?, draft number: Int64? = nil
  ) {
    failure = nil
    if restored?.typedAt != nil {
      if let version {
        let base = EditBase(list: list, id: todo.id, version: version)
        dropRestored(unlessSeenBy: Draft(base: base, edit: .fields(changes)), in: number)
      }
      restored = restored?.edited
    }
    if let version, !base.versions.contains(version), hasEdits || !changes.fields.isEmpty {
      rebase(changes, to: version)
    }
    edits.merge(changes.restoringLineEnds(of: base.content?.wrappedValue ?? todo.content))
    // The user has not seen the values that the unseen fields have in newer versions.
    if let versionBeforeUnseen, base.versions.lowerBound > versionBeforeUnseen,
      !unseenFields.isDisjoint(with: edits.fields)
    {
      base = Base(version: versionBeforeUnseen)
    }
    for field in ContentField.inForm
    where changes.fields.contains(field) && changes.given(field) != nil {
      shownFields.insert(field)
    }
    dropUnchanged()
  }

  /// Restores an unsaved text.
  mutating func restore(_ restored: RestoredDraft) {
    apply(restored.draft.changes, basedOn: restored.draft.base.version)
    self.restored = hasEdits ? restored : restored.edited
  }

  /// Records that the store no longer has the drafts that were restored into the form.
  mutating func forgetStoredDrafts() { restored?.stored = [] }

  /// Removes the restored text from the form if the user made `edit` without having seen this text.
  /// The removed text remains in the store. If `edit` continues another stored draft of the todo,
  /// `edit` becomes the restored text.
  private mutating func dropRestored(unlessSeenBy edit: Draft, in number: Int64?) {
    guard let text = restored, text.isUnseen(by: edit, in: number) else { return }
    restored = text.replaced(by: edit, in: number)
    (edits, base) = (restored?.draft.changes ?? FieldChanges(), Base(stored))
  }

  /// Changes the base version of the edits. If earlier edits of other fields remain, and have a
  /// different base version, all edits get the older of the two versions. A save is then merged
  /// with all changes since that version.
  private mutating func rebase(_ changes: FieldChanges, to version: Int64) {
    let isPartial = ContentField.inForm.contains {
      edits.fields.contains($0) && !changes.fields.contains($0)
    }
    let version = isPartial ? min(version, base.versions.upperBound) : version
    if base.versions.contains(version) { return }
    base = version == todo.version ? Base(stored) : Base(version: version)
  }

  /// Removes the edits that equal their base. If all remaining edits equal the stored text, also
  /// removes these edits, and makes the stored text the base. If the old base remained, a later
  /// edit that restores the text of this base would count as unchanged and be lost.
  private mutating func dropUnchanged() {
    guard hasEdits else { return }
    if let content = base.content?.wrappedValue { edits.drop(equalTo: content) }
    guard edits.isStored(in: stored.content.wrappedValue) else { return }
    edits = FieldChanges()
    if base.content != stored.content { base = Base(stored) }
  }
}

// MARK: The store

extension TodoForm {
  /// Updates the form after its todo was read again. Unsaved edits remain.
  mutating func follow(_ newTodo: Todo) {
    // Between two versions that are not consecutive, the text may have been changed and changed
    // back.
    let isNext =
      base.content == stored.content && newTodo.version <= base.versions.upperBound + 1
    for field in ContentField.inForm
    where newTodo.content[field] != nil && !shownFields.contains(field) {
      unseenFields.insert(field)
      versionBeforeUnseen = versionBeforeUnseen ?? todo.version
    }
    stored = Stored(newTodo, in: list)
    isRemoved = false
    if isNext, base.content == stored.content {
      let first = min(base.versions.lowerBound, newTodo.version)
      base = Base(stored)
      base.versions = first...newTodo.version
    } else if !hasEdits || base.versions.contains(newTodo.version) {
      base = Base(stored)
    }
    dropUnchanged()
  }

  /// Records that another client has removed the todo. The text can then be saved as a new todo.
  ///
  /// - Parameter last: The last version of the todo; `nil` if it is not known.
  mutating func markRemoved(_ last: Todo? = nil) {
    if let last { follow(last) }
    (isRemoved, failure) = (true, nil)
  }
}

extension Todo {
  /// Returns a placeholder for a todo that is not stored. It has a version that no todo has, so its
  /// content is not the base of an edit.
  fileprivate static func unknown(_ id: TodoID, title: String) -> Todo {
    let never = Timestamp(milliseconds: 0)
    return Todo(
      id: id, content: TodoContent(title: title), version: 0, createdAt: never, updatedAt: never,
      origin: nil, sync: .local)
  }
}

extension TodoContent {
  /// The content with only the fields of the form. All other fields have their initial values.
  var inForm: TodoContent {
    var content = self
    for field in ContentField.outsideForm { content.copy(field, from: TodoContent()) }
    return content
  }
}
