import TodoModel

/// An editing pane, with the states of the table in Protocol.md.
struct Pane {
  let number: Int
  /// The list to which the user's text belongs.
  private(set) var list: TodoListKey
  /// The screen whose form the pane shows, as the pane has last adopted it.
  private(set) var screen: SeenScreen
  private(set) var base: String?
  /// The actions of the newest rendering of that screen.
  private(set) var actions: [SeenAction]
  private(set) var values: [String: String]
  /// The names of the fields that contain text of the user.
  private(set) var own: Set<String> = []
  /// Whether the user has typed in this pane. Text of an earlier pane that this pane shows does not
  /// count.
  private var isTyped = false
  /// The fields of the save in progress, as they were sent.
  private(set) var sent: [String: String]?
  /// Whether an action that removes the pane's screen is in progress.
  private(set) var isClosing = false
  /// The edits that the server has checked. The errors and actions of the newest rendering belong
  /// to these edits.
  private(set) var checked: [String: String]?
  /// Whether the last save failed because the server must first ask a question that the user has
  /// not seen.
  private(set) var needsCheck = false
  /// The words that the user saw and deleted.
  private(set) var deleted: Set<String> = []

  /// Creates a clean pane for the front screen.
  init(_ number: Int, _ screen: SeenScreen, in list: TodoListKey) {
    (self.number, self.screen, self.list) = (number, screen, list)
    (base, actions, values) = (screen.base, screen.actions, screen.values)
  }

  var isEdited: Bool { !own.isEmpty }
  /// Whether a save or decision of the pane has no response yet.
  var isBusy: Bool { sent != nil || isClosing }
  var isClean: Bool { !isEdited && !isBusy }
  var isEditedWhileSaving: Bool { sent.map { edits != $0 } ?? false }
  /// The fields to send: the edited ones, or all for a new todo.
  var edits: [String: String] {
    saveAction?.name == "saveAsNew" ? values : values.filter { own.contains($0.key) }
  }
  /// The words on the user's screen.
  var shownWords: Set<String> { screen.words }

  /// The action that stores the text.
  var saveAction: SeenAction? { actions.first { $0.role == "save" || $0.role == "merge" } }

  // MARK: The user

  mutating func type(_ text: String, into field: String) {
    deleted.formUnion(PaneWords.words(values[field] ?? "").subtracting(PaneWords.words(text)))
    values[field] = text
    own.insert(field)
    isTyped = true
    needsCheck = false
  }

  /// Records that these fields contain text of the user.
  mutating func own(_ fields: [String]) { own = Set(fields) }

  mutating func beginSave() { sent = edits }
  mutating func beginClosing() { isClosing = true }

  func isForSameTodo(as other: Pane) -> Bool {
    guard let base, let otherBase = other.base else { return false }
    guard let base = FormBase(base), let otherBase = FormBase(otherBase) else { return false }
    return base.edit.isForSameTodo(as: otherBase.edit)
  }

  /// Copies the deleted words from an earlier pane for the same todo. This pane now shows the text
  /// of that pane. If the earlier pane was a comparison, all words of both sides that the merged
  /// text does not contain also count as deleted.
  mutating func inherit(from old: Pane) {
    deleted = old.deleted
    guard old.screen.isComparison else { return }
    deleted.formUnion(old.shownWords.subtracting(PaneWords.words(values.values)))
  }

  // MARK: The server

  /// Handles a rendering of the pane's screen.
  mutating func see(_ screen: SeenScreen, in list: TodoListKey) {
    guard !isBusy else { return }
    if screen.isComparison, !isTyped {
      adopt(screen, in: list)
      values = screen.values
    } else if isEdited {
      actions = screen.actions
      // The sides of a comparison are read-only, so the user sees the newest ones. The pane keeps
      // the old base, so a decision asks the user.
      if screen.isComparison { self.screen = screen }
    } else {
      adopt(screen, in: list)
    }
  }

  /// Adopts the screen: its `base`, and its values of all fields without text of the user.
  ///
  /// - Parameter saved: The base in the response to a save, if the user has typed during the save;
  ///   otherwise `nil`.
  mutating func adopt(_ screen: SeenScreen, in list: TodoListKey, saved: String? = nil) {
    (self.screen, actions, self.list) = (screen, screen.actions, list)
    base = saved ?? screen.base
    values = values.filter { own.contains($0.key) }.merging(screen.values) { mine, _ in mine }
  }

  /// Records that the server has checked these edits.
  mutating func check(_ edits: [String: String]) { checked = edits }

  /// Ends a save whose text was stored.
  mutating func endSave() {
    for (name, value) in sent ?? [:] where values[name] == value { own.remove(name) }
    (sent, checked) = (nil, nil)
  }

  /// Ends a save that stored nothing, or has no response.
  mutating func failSave(isUnconfirmed: Bool = false) {
    (sent, isClosing, checked) = (nil, false, nil)
    needsCheck = isUnconfirmed
  }
}
