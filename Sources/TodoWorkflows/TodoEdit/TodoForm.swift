import TodoModel

/// The form of a todo: the stored todo, and the user's unsaved edits with the version on which they
/// are based.
///
/// Without edits, the form follows the store. Edits keep their base until they are saved or
/// discarded, even if another client changes the todo.
struct TodoForm: Sendable, Equatable {
  let list: TodoListKey
  /// The todo as it is stored now.
  private(set) var todo: Todo
  /// The fields that the user sees. They do not change while the form is open: an editor that shows
  /// the form as text has a line for each.
  private(set) var shownFields: ContentFieldSet
  /// The values that differ from the base, unvalidated.
  private(set) var edits = FieldChanges()
  private var base: Base
  /// Whether the todo was removed elsewhere.
  private(set) var isRemoved = false
  /// The error of the last save; `nil` after the next edit.
  var failure: TodoError?
  /// The time at which the text was typed, if it was restored from an ended process; `nil` after
  /// the next edit.
  private(set) var restoredFrom: Timestamp?

  /// The stored text on which the edits are based.
  private struct Base: Sendable, Equatable {
    /// The versions with this text. There are several if only fields outside the form have changed,
    /// such as the done state.
    var versions: ClosedRange<Int64>
    /// The text; `nil` if it is not the stored text and therefore not known.
    var content: TodoContent?

    init(_ todo: Todo) {
      self.init(version: todo.version, content: todo.content.inForm)
    }

    init(version: Int64, content: TodoContent? = nil) {
      (versions, self.content) = (version...version, content)
    }
  }

  /// Creates a form for a stored todo.
  ///
  /// - Parameter shownFields: The optional fields to show even if they have no value.
  init(_ todo: Todo, in list: TodoListKey, showing shownFields: ContentFieldSet = []) {
    (self.list, self.todo, base) = (list, todo, Base(todo))
    self.shownFields = ContentFieldSet(
      ContentField.inForm.filter { field in
        !field.isOptional || shownFields.contains(field) || todo.content[field] != nil
      })
  }

  /// Creates a form for a removed todo, whose text can be saved as a new todo.
  ///
  /// - Parameter title: The title of the todo, for a text without one; `nil` if it is not known.
  init(removed draft: Draft, title: String? = nil) {
    self.init(.removed(draft.base.id, title: title ?? ""), in: draft.base.list)
    isRemoved = true
    base = Base(version: draft.base.version)
    restore(draft)
  }

  // MARK: The form

  /// The texts in the form.
  var content: TodoContent { edits.applied(to: base.content ?? todo.content.inForm) }

  /// Whether the source refused the todo because its item no longer exists there.
  var isMissingAtSource: Bool {
    todo.sync == .failed && todo.failure?.kind == .notFound && todo.origin != nil
  }

  var hasEdits: Bool { !edits.fields.isEmpty }

  /// Whether the stored text was changed elsewhere since the user began to edit it.
  var isStale: Bool { hasEdits && base.content != todo.content.inForm }

  var editBase: EditBase { EditBase(list: list, id: todo.id, version: base.versions.upperBound) }

  /// Returns the new base of the text that the user typed during a save: the version that the save
  /// stored.
  ///
  /// - Returns: `nil` if the save has merged another client's change of a field that the user has
  ///   not edited: that change was not on the screen while the user typed.
  func base(afterSaving stored: Todo) -> EditBase? {
    let content = stored.content.inForm
    let isMerged = ContentField.inForm.contains { field in
      !edits.fields.contains(field) && base.content?[field] != content[field]
    }
    return isMerged ? nil : EditBase(list: list, id: todo.id, version: stored.version)
  }

  /// The unsaved text; `nil` if there is none.
  var draft: Draft? { hasEdits ? Draft(base: editBase, edit: .fields(edits)) : nil }

  /// Returns the edit that saves the text, with only the fields that the user changed.
  ///
  /// A title from a source may break our rules; an unchanged title is not part of the edit, so it
  /// is not checked.
  ///
  /// - Throws: `TodoError` of kind `validation`.
  func edit() throws(TodoError) -> TodoEdit {
    try TodoEdit(checking: edits, expectedVersion: editBase.version)
  }

  /// Returns a new todo with the text of the form.
  ///
  /// - Throws: `TodoError` of kind `validation`.
  func newTodo() throws(TodoError) -> TodoDraft {
    var changes = FieldChanges(content, fields: .all)
    changes.merge(edits)
    return try TodoDraft(checking: changes)
  }

  /// Returns the fields with invalid values.
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
  /// Applies the user's edits.
  ///
  /// - Parameter version: The version that the user saw. It differs from the current one if the
  ///   todo was changed elsewhere in the same moment, or if the text is older than this process.
  mutating func apply(_ changes: FieldChanges, basedOn version: Int64?) {
    (failure, restoredFrom) = (nil, nil)
    if let version, !base.versions.contains(version), hasEdits || !changes.fields.isEmpty {
      rebase(changes, to: version)
    }
    edits.merge(changes.restoringLineEnds(of: base.content ?? todo.content))
    for field in ContentField.inForm
    where changes.fields.contains(field) && changes.given(field) != nil {
      shownFields.insert(field)
    }
    dropUnchanged()
  }

  /// Shows an unsaved text again.
  ///
  /// - Parameter time: The time at which the text was typed; `nil` if the front-end still shows the
  ///   text.
  mutating func restore(_ draft: Draft, typedAt time: Timestamp? = nil) {
    apply(draft.changes, basedOn: draft.base.version)
    if hasEdits { restoredFrom = time }
  }

  /// Sets the base version of the edits. If old and new edits have different base versions, the
  /// older one is used: a save is merged with all changes since that version, and the user resolves
  /// conflicts.
  private mutating func rebase(_ changes: FieldChanges, to version: Int64) {
    let isPartial = ContentField.inForm.contains {
      edits.fields.contains($0) && !changes.fields.contains($0)
    }
    let version = isPartial ? min(version, base.versions.upperBound) : version
    if base.versions.contains(version) { return }
    base = version == todo.version ? Base(todo) : Base(version: version)
  }

  /// Removes edits that equal their base or the stored text. In the latter case, the stored text
  /// becomes the base: with the old base, an edit that restores the text from before a save would
  /// equal its base, and be lost.
  private mutating func dropUnchanged() {
    guard hasEdits else { return }
    if let content = base.content { edits.drop(equalTo: content) }
    let stored = todo.content.inForm
    guard edits.isStored(in: stored) else { return }
    edits = FieldChanges()
    if base.content != stored { base = Base(todo) }
  }
}

// MARK: The store

extension TodoForm {
  /// Updates the form from the store. Unsaved edits stay.
  mutating func follow(_ newTodo: Todo) {
    let wasStale = base.content != todo.content.inForm
    todo = newTodo
    isRemoved = false
    if let content = base.content, content == newTodo.content.inForm {
      let first = wasStale ? newTodo.version : base.versions.lowerBound
      base.versions = min(first, newTodo.version)...newTodo.version
    } else if !hasEdits || base.versions.contains(newTodo.version) {
      base = Base(newTodo)
    }
    dropUnchanged()
  }

  /// Marks the todo as removed elsewhere: its text can be saved as a new one.
  mutating func markRemoved() { (isRemoved, failure) = (true, nil) }
}

extension Todo {
  /// Returns a placeholder for a removed todo.
  fileprivate static func removed(_ id: TodoID, title: String) -> Todo {
    let never = Timestamp(milliseconds: 0)
    return Todo(
      id: id, content: TodoContent(title: title), version: 0, createdAt: never,
      updatedAt: never, origin: nil, sync: .local)
  }
}

extension TodoContent {
  /// The content with only the fields of the form; the others have their initial values.
  var inForm: TodoContent {
    var content = self
    for field in ContentField.outsideForm { content.copy(field, from: TodoContent()) }
    return content
  }
}
