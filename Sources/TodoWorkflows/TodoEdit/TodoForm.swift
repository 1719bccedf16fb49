import TodoModel

/// The form of a todo: the stored todo, and the user's unsaved edits with the version on which they
/// are based.
///
/// Without edits, the form follows the store. Edits keep their base until they are saved or
/// discarded, whatever happens to the todo elsewhere.
struct TodoForm: Sendable, Equatable {
  let list: TodoListKey
  /// The todo as it is stored now.
  private(set) var todo: Todo
  /// The fields that the user sees. They stay the same as long as the form is open: an editor that
  /// shows the form as a text has a line for each.
  private(set) var shownFields: ContentFieldSet
  /// The values that differ from the base, unvalidated.
  private(set) var edits = FieldChanges()
  private var base: Base
  /// Whether the todo was removed elsewhere.
  private(set) var isRemoved = false
  /// Why the last save failed; `nil` after the next edit.
  var failure: TodoError?
  /// When the text was typed, if it is that of an ended process; `nil` after the next edit.
  private(set) var restoredFrom: Timestamp?

  /// The stored text on which the edits are based.
  private struct Base: Sendable, Equatable {
    /// The versions with this text: a tick changes the version only.
    var versions: ClosedRange<Int64>
    /// The texts; `nil` if only the store may still know them.
    var content: TodoContent?

    init(_ todo: Todo) {
      self.init(version: todo.version, content: todo.content.inForm)
    }

    init(version: Int64, content: TodoContent? = nil) {
      (versions, self.content) = (version...version, content)
    }
  }

  /// - Parameter shownFields: The fields that the user sees already, besides those with a value.
  init(_ todo: Todo, in list: TodoListKey, showing shownFields: ContentFieldSet = []) {
    (self.list, self.todo, base) = (list, todo, Base(todo))
    self.shownFields = ContentFieldSet(
      ContentField.inForm.filter { field in
        !field.isOptional || shownFields.contains(field) || todo.content[field] != nil
      })
  }

  /// The form of a todo that was removed, with the text to save as a new one.
  ///
  /// - Parameter title: The title of the todo, for a text without one; `nil` if it is not known.
  init(removed draft: Draft, title: String? = nil) {
    self.init(.removed(draft.base.id, title: title ?? ""), in: draft.base.list)
    isRemoved = true
    base = Base(version: draft.base.version)
    restore(draft)
  }

  // MARK: What the user sees

  /// The texts in the form.
  var content: TodoContent { edits.applied(to: base.content ?? todo.content.inForm) }

  /// Whether the source refused the todo because it does not have its item any more.
  var isMissingAtSource: Bool {
    todo.sync == .failed && todo.failure?.kind == .notFound && todo.origin != nil
  }

  var hasEdits: Bool { !edits.fields.isEmpty }

  /// Whether the stored text was changed elsewhere since the user began to edit it.
  var isStale: Bool { hasEdits && base.content != todo.content.inForm }

  var editBase: EditBase { EditBase(list: list, id: todo.id, version: base.versions.upperBound) }

  /// The unsaved text; `nil` if there is none.
  var draft: Draft? { hasEdits ? Draft(base: editBase, edit: .fields(edits)) : nil }

  /// Returns the edit that saves the text: only the fields that the user changed.
  ///
  /// A title from a source may break our own rules; unchanged, it is not sent back.
  ///
  /// - Throws: `validation`.
  func edit() throws(TodoError) -> TodoEdit {
    try TodoEdit(checking: edits, expectedVersion: editBase.version)
  }

  /// Returns a new todo with the text of the form.
  ///
  /// - Throws: `validation`.
  func newTodo() throws(TodoError) -> TodoDraft {
    var changes = FieldChanges(content, fields: .all)
    changes.merge(edits)
    return try TodoDraft(checking: changes)
  }

  /// The fields that cannot be saved in a list with some limits.
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
  /// - Parameter version: The version that the user saw: another one than now if the todo was
  ///   changed elsewhere in the same moment, or if the text is older than this process.
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
  /// - Parameter time: When it was typed, if the user does not see it any more.
  mutating func restore(_ draft: Draft, typedAt time: Timestamp? = nil) {
    apply(draft.changes, basedOn: draft.base.version)
    if hasEdits { restoredFrom = time }
  }

  /// If some of the text was based on another version, the older one counts: a save meets every
  /// change since, and the user decides.
  private mutating func rebase(_ changes: FieldChanges, to version: Int64) {
    let isPartial = ContentField.inForm.contains {
      edits.fields.contains($0) && !changes.fields.contains($0)
    }
    let version = isPartial ? min(version, base.versions.upperBound) : version
    if base.versions.contains(version) { return }
    base = version == todo.version ? Base(todo) : Base(version: version)
  }

  /// Text that equals its base or the stored text has nothing to save. On its old base, an undo of
  /// the save would count as no change.
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
  /// Adopts what the store has now. Unsaved edits stay.
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

  /// The todo was removed elsewhere: its text can be saved as a new one.
  mutating func markRemoved() { (isRemoved, failure) = (true, nil) }
}

extension Todo {
  /// A todo without a note, in place of one that was removed.
  fileprivate static func removed(_ id: TodoID, title: String) -> Todo {
    let never = Timestamp(milliseconds: 0)
    return Todo(
      id: id, content: TodoContent(title: title), version: 0, createdAt: never,
      updatedAt: never, origin: nil, sync: .local)
  }
}

extension TodoContent {
  /// The fields that the form has; the others have their initial values.
  var inForm: TodoContent {
    var content = self
    for field in ContentField.outsideForm { content.copy(field, from: TodoContent()) }
    return content
  }
}
