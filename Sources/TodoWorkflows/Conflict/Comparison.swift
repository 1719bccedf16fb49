import TodoModel

/// A conflict that the user resolves: its sides, and the merged text.
///
/// When another client changes the todo, the sides and the proposal are computed again. The user's
/// text stays, and saving it over newer text requires a confirmation.
struct Comparison: Sendable, Equatable {
  let list: TodoListKey
  private(set) var sides: ConflictSides
  /// The user's text, or the proposal.
  private(set) var merged: String
  /// The edit whose save led to the conflict, so that it is not stored yet; `nil` if there is none.
  private(set) var edit: Draft?
  /// The merged text at the time of the last change of theirs. While `merged` equals it, the user
  /// has not revised the text since that change.
  private var outdatedText: String?
  /// The version that the user saw at the last action; `nil` if the front-end did not send it.
  private var seenVersion: Int64?
  /// The error of the last decision; `nil` after the next edit.
  var failure: TodoError?
  /// The time at which the text was typed, if it was restored from an ended process; `nil` after
  /// the next edit.
  private(set) var restoredFrom: Timestamp?

  /// Creates a comparison in which the merged text is the proposal.
  ///
  /// - Parameter edit: The edit whose save led to the conflict.
  init(_ sides: ConflictSides, in list: TodoListKey, edit: Draft? = nil) {
    (self.list, self.sides, self.edit) = (list, sides, edit)
    merged = TodoText.text(of: sides.merge.proposal)
  }

  static func == (a: Comparison, b: Comparison) -> Bool {
    a.sides == b.sides && a.merged.hasSameBytes(as: b.merged) && a.failure == b.failure
      && a.seenVersion == b.seenVersion && a.list == b.list && a.edit == b.edit
      && a.restoredFrom == b.restoredFrom
      && (a.outdatedText ?? "").hasSameBytes(as: b.outdatedText ?? "")
  }

  // MARK: The form

  var editBase: EditBase { EditBase(list: list, id: sides.id, version: sides.version) }

  /// Whether the user has edited the merged text.
  var isMergedEdited: Bool { !merged.hasSameBytes(as: TodoText.text(of: sides.merge.proposal)) }

  /// Whether closing the form would drop text. An edit is not stored until its conflict is
  /// resolved.
  var hasUnsavedText: Bool { !sides.isWithSource || isMergedEdited }

  /// The unsaved text; `nil` if there is none.
  var draft: Draft? {
    isMergedEdited ? Draft(base: editBase, edit: .merged(merged)) : edit
  }

  /// The edit that saves the merged text, or the error in the merged text.
  var mergedEdit: Result<TodoEdit, TodoError> {
    Result { () throws(TodoError) in
      let (title, note) = TodoText.split(merged)
      return try TodoEdit(title: title, note: note.withLineEnds(of: sides.merge.theirs.note))
    }
  }

  /// The question to ask the user before the merged text is saved; `nil` if none is needed.
  var mergedQuestion: String? {
    if isMergedEdited, let outdatedText, merged.hasSameBytes(as: outdatedText) {
      return "Theirs was changed after you wrote the merged text. Save your text in its place?"
    }
    let isProposedWithMarkers = TextMerge.hasMarkerPair(TodoText.text(of: sides.merge.proposal))
    return isProposedWithMarkers && TextMerge.hasMarkerPair(merged)
      ? "Both versions of a text are still there, between markers. Save them?" : nil
  }
}

// MARK: Edits

extension Comparison {
  /// Applies the user's merged text.
  ///
  /// - Parameter version: The version that the user saw.
  mutating func apply(merged text: String?, basedOn version: Int64?) {
    (failure, restoredFrom) = (nil, nil)
    seenVersion = version
    guard let text else { return }
    merged = text
    if let version, version != sides.version { outdatedText = text }
  }

  /// Shows an unsaved text again.
  ///
  /// - Parameter time: The time at which the text was typed; `nil` if the front-end still shows the
  ///   text.
  mutating func restore(_ draft: Draft, typedAt time: Timestamp? = nil) {
    guard case .merged(let text) = draft.edit else { return }
    apply(merged: text, basedOn: draft.base.version)
    restoredFrom = time
  }

  /// The next step after a decision.
  enum Decision {
    /// The user must decide again, because a side has changed since it was shown.
    case asks
    /// Nothing must be saved, because theirs is stored already.
    case stored
    case operation(ListOperation)
  }

  mutating func decide(_ resolution: Resolution) -> Decision {
    defer { seenVersion = nil }
    if let seenVersion, seenVersion != sides.version { return .asks }
    failure = nil
    if sides.isWithSource {
      return .operation(.resolve(sides.id, version: sides.version, resolution))
    }
    let content = sides.merge.content(after: resolution)
    if content == sides.merge.theirs { return .stored }
    let changes = FieldChanges(content, fields: .all)
    return .operation(
      .edit(sides.id, TodoEdit(unchecked: changes, expectedVersion: sides.version)))
  }
}

// MARK: The store

extension Comparison {
  /// Replaces the sides. If the user has not edited the merged text, it becomes the new proposal.
  mutating func follow(_ newSides: ConflictSides) {
    let wasEdited = isMergedEdited
    if newSides.merge.theirs.inForm != sides.merge.theirs.inForm { outdatedText = merged }
    sides = newSides
    if !wasEdited { merged = TodoText.text(of: sides.merge.proposal) }
  }

  /// Updates the comparison from the store.
  ///
  /// - Returns: `false` if the conflict was resolved elsewhere and the user has no unsaved text.
  mutating func follow(_ todo: Todo, _ conflict: SourceConflict?) -> Bool {
    if !sides.isWithSource {
      follow(sides.against(todo))
    } else if let conflict {
      follow(ConflictSides(conflict))
    } else if isMergedEdited {
      let (title, note) = TodoText.split(merged)
      var mine = todo.content
      (mine.title, mine.note) = (title, note)
      let text = merged
      follow(ConflictSides(edit: mine, of: todo))
      (merged, outdatedText) = (text, text)
    } else {
      return false
    }
    return true
  }

  /// Returns a form that saves the text of a todo that was removed elsewhere as a new todo. The
  /// text is the merged text if the user has edited it, otherwise that of mine.
  ///
  /// - Returns: `nil` if all text is stored.
  func formAfterRemoval() -> TodoForm? {
    guard hasUnsavedText else { return nil }
    guard isMergedEdited else { return formAfterRemoval(saving: sides.merge.mine) }
    let (title, note) = TodoText.split(merged)
    return formAfterRemoval(saving: TodoContent(title: title, note: note))
  }

  /// Returns a form that saves `content` as a new todo. If the removed todo has been restored, the
  /// save is merged with all changes that the content does not contain.
  func formAfterRemoval(saving content: TodoContent) -> TodoForm {
    TodoForm(removed: Draft(base: textBase, edit: .fields(FieldChanges(content, fields: .inForm))))
  }

  /// The version on which the user's text is based; version 0 if no version has everything that the
  /// user saw.
  private var textBase: EditBase {
    let unknown = EditBase(list: list, id: sides.id, version: 0)
    guard isMergedEdited else { return edit?.base ?? unknown }
    return outdatedText.map { merged.hasSameBytes(as: $0) } == true ? unknown : editBase
  }
}
