import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Actions

extension TodoWorkflow {
  /// An action of the user on the screen that shows several drafts of a todo.
  struct DraftsAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var output: DraftsWorkflow.Output

    func apply(toState state: inout State) -> Output? {
      guard case .drafts(let choice) = state.step else { return nil }
      switch output {
      case .open(let number, let token):
        state.queue.add(.openDraft(choice.id, number: number), from: .list, token: token)
      case .discard(let number, let token):
        state.queue.add(.discardDrafts([number]), from: .list, token: token)
      case .back: state.step = .list
      }
      return nil
    }
  }
}

// MARK: State

extension TodoWorkflow.State {
  /// Opens the form for a todo. `restored` is the unsaved text that the form shows; `nil` for none.
  mutating func open(_ todo: Todo, _ restored: RestoredDraft?) {
    var form = TodoForm(todo, in: key)
    if let restored { form.restore(restored) }
    step = .edit(form)
    didOpen(todo.id, restored)
  }

  mutating func open(_ sides: ConflictSides, _ restored: RestoredDraft?) {
    var comparison = Comparison(sides, in: key)
    if let restored { comparison.restore(restored) }
    step = .conflict(comparison)
    didOpen(sides.id, restored)
  }

  mutating func openRemoved(_ restored: RestoredDraft, _ todo: Todo?, _ base: TodoContent?) {
    let title = restored.stored.first?.title ?? ""
    step = .edit(TodoForm(removed: restored, todo, baseContent: base, title: title))
    didOpen(restored.draft.base.id, restored)
  }

  private mutating func didOpen(_ id: TodoID, _ restored: RestoredDraft?) {
    // If there is no draft to restore, a mark in the list is outdated: its draft was saved or
    // discarded.
    if restored == nil, list.drafted.contains(where: { $0.id == id }) { readDrafts() }
  }

  /// The unsaved text of the open form; an empty array if there is none.
  var unsavedTexts: [UnsavedText] {
    switch step {
    case .edit(let form): unsavedTexts(form.draft, form.todo.content)
    case .conflict(let comparison):
      unsavedTexts(comparison.draft, comparison.sides.merge.theirs)
    case .list, .drafts, .removed, .loadFailed: []
    }
  }

  private func unsavedTexts(_ draft: Draft?, _ content: TodoContent) -> [UnsavedText] {
    guard let draft else { return [] }
    return [UnsavedText(draft, title: content.title, restored: restored?.stored ?? [])]
  }

  /// The unsaved text that was restored into the open form; `nil` if there was none.
  var restored: RestoredDraft? {
    switch step {
    case .edit(let form): form.restored
    case .conflict(let comparison): comparison.restored
    case .list, .drafts, .removed, .loadFailed: nil
    }
  }

  /// The numbers of the stored drafts that are discarded when the text of the open form is saved.
  var savedDrafts: [Int64] {
    switch step {
    case .edit(let form): restored?.numbers(endedBySaving: form.draft) ?? []
    case .conflict(let comparison): restored?.numbers(endedBySaving: comparison.draft) ?? []
    case .list, .drafts, .removed, .loadFailed: []
    }
  }

  /// Closes the form, and discards the stored drafts that were restored into it.
  ///
  /// - Parameter token: The token of the request that closes the form. The request ends when the
  ///   drafts are deleted, or immediately if there are no drafts.
  mutating func closeForm(discardingDrafts token: OperationToken?) {
    let numbers = restored?.numbers ?? []
    step = .list
    if !numbers.isEmpty { queue.add(.discardDrafts(numbers), from: .list, token: token) }
  }

  /// Discards the stored drafts that were restored into the open form, if the form has no unsaved
  /// text any more. This is the case if the user has changed the restored text back to the stored
  /// text of the todo.
  mutating func discardRevertedDrafts() {
    guard unsavedTexts.isEmpty, let numbers = restored?.numbers, !numbers.isEmpty else { return }
    switch step {
    case .edit(var form):
      form.forgetStoredDrafts()
      step = .edit(form)
    case .conflict(var comparison):
      comparison.forgetStoredDrafts()
      step = .conflict(comparison)
    case .list, .drafts, .removed, .loadFailed: break
    }
    queue.add(.discardDrafts(numbers), from: .refresh, token: nil)
  }

  mutating func readDrafts() {
    guard hasDrafts, !queue.contains(.readDrafts) else { return }
    queue.add(.readDrafts, from: .refresh, token: nil)
  }

  /// Marks the todos that have drafts.
  ///
  /// - Parameters:
  ///   - isFirst: Whether the user has just logged in. A message then announces the drafts.
  ///   - discarded: The numbers of drafts that were discarded.
  mutating func show(_ drafted: [DraftedTodo], isFirst: Bool, discarded: [Int64]) {
    if !list.show(drafted) { readRows() }
    if case .drafts(var choice) = step {
      step = choice.remove(discarded) ? .drafts(choice) : .list
    }
    let count = drafted.reduce(0) { $0 + $1.draftCount }
    if isFirst, count > 0 { list.notify(.info, Self.announcement(count), about: .drafts) }
  }

  private static func announcement(_ count: Int) -> String {
    count == 1
      ? "1 unsaved text was recovered. Open the todo with the badge draft to see it."
      : "\(count) unsaved texts were recovered. Open the todos with the badge draft to see them."
  }
}
