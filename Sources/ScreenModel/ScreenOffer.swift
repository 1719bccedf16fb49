import System

/// The checks of requests against the current screens. A request is refused unless the screens
/// offer it.
package enum ScreenOffer {
  package enum Refusal: Error, Equatable {
    /// The screen does not offer the request now, although it may have done so before. The text is
    /// a message for the user. `item` is the item of the request that is no longer in the list or
    /// is read-only; `nil` if the refusal has another reason.
    case notOffered(Reason, String, item: String? = nil)
    /// The form has no field with this name. `known` contains the names of its fields.
    case unknownField(String, known: [String])

    package static let notInFront = notOffered(
      .notInFront, "Something else is on the screen now.")
    package static let otherTodo = notOffered(
      .notInFront, "This text is of another todo than the one on the screen.")
    package static let unconfirmed = notOffered(
      .unconfirmed, "This action needs the user's answer to a question first.")

    /// Returns the refusal of a request that would close a form with unsaved text. `screen` is this
    /// form.
    package static func unsaved(in screen: Screen) -> Refusal {
      let text = screen.subject.map { "The text of \(quoted($0))" } ?? "What you typed"
      return notOffered(.unsaved, "\(text) is not saved yet. Save it, or discard it first.")
    }

    /// Returns the refusal of a request for an action that the screen does not have.
    package static func unknownAction(_ name: String) -> Refusal {
      notOffered(.unknownAction, "This screen has no action \(quoted(name)).")
    }

    /// Returns the name between quotation marks. A long name is shortened.
    private static func quoted(_ name: String) -> String {
      let isLong = name.count > nameCharactersMax
      return "“\(isLong ? name.prefix(nameCharactersMax - 1) + "…" : name[...])”"
    }

    private static let nameCharactersMax = 60
  }

  /// The reason why the screen does not offer the request. The meaning of a published reason never
  /// changes.
  package enum Reason: String, Sendable, CaseIterable {
    /// The request is for a screen that is not in front: another screen is in front, or the same
    /// screen shows another todo.
    case notInFront
    /// The screen does not have the action.
    case unknownAction
    /// The action is disabled.
    case disabled
    /// The action needs an item, and the request has none.
    case needsItem
    /// The item is not in the list any more.
    case itemGone
    /// The screen in front has unsaved text.
    case unsaved
    /// The user's text in the request belongs to another list or another user.
    case otherList
    /// The action asks a question, and the edits in this request may have changed the question that
    /// the user has seen.
    case unconfirmed
  }

  /// Checks that the screen has the action, enabled or not.
  package static func checkExists(_ name: String, in screen: Screen) throws(Refusal) {
    _ = try action(name, in: screen)
  }

  /// Separates the values of a call into those for the form and those for the action's input.
  ///
  /// - Throws: `unknownField` for a value that belongs to neither of them.
  package static func sort(
    _ values: [String: String], action name: String, in screen: Screen
  ) throws(Refusal) -> (form: [String: String], input: [String: String]) {
    let asked = screen.actions.first { $0.name == name }?.input.map(\.name) ?? []
    let fields = screen.fieldNames
    var form: [String: String] = [:]
    var input: [String: String] = [:]
    for (field, value) in values.sorted(by: { $0.key < $1.key }) {
      if asked.contains(field) {
        input[field] = value
      } else if fields.contains(field) {
        form[field] = value
      } else {
        throw .unknownField(field, known: asked + fields)
      }
    }
    return (form, input)
  }

  /// Checks that each key of `values` is the name of a field in the screen's form.
  package static func checkFields(_ values: [String: String], in screen: Screen) throws(Refusal) {
    try check(values, areAmong: screen.fieldNames)
  }

  /// Checks that each key of `values` is in `fields`.
  ///
  /// - Throws: `unknownField` for any other key.
  package static func check(
    _ values: [String: String], areAmong fields: [String]
  ) throws(Refusal) {
    guard let field = values.keys.filter({ !fields.contains($0) }).min() else { return }
    throw .unknownField(field, known: fields)
  }

  /// Checks that the user's edits can be applied to the form.
  ///
  /// - Throws: A refusal if the edits belong to another form, or if the form is being saved. In the
  ///   second case, the edits would be lost when the save ends.
  package static func checkEdits(
    of screen: any DescribableScreen, base: String?
  ) throws(Refusal) {
    guard !screen.isSaving else {
      throw .notOffered(.disabled, "The text is being saved. Send your edits again after that.")
    }
    if let base { try screen.check(base: base) }
  }

  /// Checks that the user has seen the question that an action asks. The request for the action can
  /// contain edits, which may have changed the question. A question counts as seen in these cases:
  /// - It is about saving a text, and the screen has shown exactly this text.
  /// - It is about something else, such as dropping a text, the screen has shown the question, and
  ///   the request contains no further edits.
  ///
  /// - Parameters:
  ///   - screen: The screen with the base and the edits of the request.
  ///   - unedited: The screen with the base of the request, but without its edits.
  ///   - shown: The screen as the user sees it.
  ///   - isUnseenComparison: Whether the screen now compares sides that the user has not seen. If
  ///     so, the action is not refused: the workflow saves nothing, and shows the new sides with
  ///     the question.
  /// - Throws: `unconfirmed` if the action asks a question that the user has not seen.
  package static func checkConfirmation(
    _ name: String, in screen: Screen, unedited: Screen, shown: Screen, isUnseenComparison: Bool
  ) throws(Refusal) {
    let action = try action(name, in: screen)
    // An action with the role `back` is the user's decision to drop the edits.
    guard let question = action.confirm, action.role != .back, !isUnseenComparison else { return }
    let isSaving = action.role == .save || action.role == .merge
    let isSeen =
      isSaving
      ? screen.body == shown.body
      : try self.action(name, in: shown).confirm == question && screen.body == unedited.body
    if !isSeen { throw .unconfirmed }
  }

  /// Checks that the action is enabled. For an action on items, also checks that there are items,
  /// and that all of them are in the list.
  package static func checkAction(
    _ name: String, items: [String], in screen: Screen
  ) throws(Refusal) {
    let action = try action(name, in: screen)
    guard action.isEnabled else {
      throw .notOffered(
        .disabled, screen.firstProblem ?? "“\(action.title)” cannot be done at this moment.")
    }
    guard action.scope == .item else { return }
    guard !items.isEmpty else {
      throw .notOffered(.needsItem, "Choose what to do it with.")
    }
    guard items.count == 1 || action.isForMany else {
      throw .notOffered(.disabled, "“\(action.title)” can be done to one item only.")
    }
    for item in items {
      guard case .list(let list) = screen.body, let index = list.items.index(of: item) else {
        throw .notOffered(.itemGone, itemGone(of: items.count), item: item)
      }
      if action.role != .open, let row = list.items[index], row.isReadOnly {
        throw .notOffered(.disabled, "“\(row.title)” can only be read.", item: item)
      }
    }
  }

  private static func itemGone(of count: Int) -> String {
    count == 1
      ? "The list does not show that item any more."
      : "The list does not show one of the \(count) items any more. Nothing was done."
  }

  private static func action(
    _ name: String, in screen: Screen
  ) throws(Refusal) -> ScreenAction {
    guard let action = screen.actions.first(where: { $0.name == name }) else {
      throw .unknownAction(name)
    }
    return action
  }
}

extension Screen {
  private var form: ScreenForm? { if case .form(let form) = body { form } else { nil } }

  private var fields: [ScreenField] { form?.fields ?? [] }

  /// The names of the form's fields, including the hidden fields.
  fileprivate var fieldNames: [String] { fields.map(\.name) + (form?.hiddenFields ?? []) }

  /// The label and the error message of the first invalid field; `nil` if all fields are valid.
  fileprivate var firstProblem: String? {
    fields.firstResult { field in field.error.map { "\(field.label): \($0)" } }
  }
}
