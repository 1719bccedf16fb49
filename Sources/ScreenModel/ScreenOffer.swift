import System

/// Whether what a user did is something that a screen offers at this moment.
package enum ScreenOffer {
  package enum Refusal: Error, Equatable {
    /// The screen does not offer it now, whether it ever did or not. The message is for the user,
    /// and the item is the one that is gone.
    case notOffered(Reason, String, item: String? = nil)
    /// There is no such field; `known` are those that there are.
    case unknownField(String, known: [String])

    package static let notInFront = notOffered(
      .notInFront, "Something else is on the screen now.")
    package static let unknownAction = notOffered(
      .unknownAction, "There is no such thing to do here.")
    package static let otherTodo = notOffered(
      .notInFront, "This text is of another todo than the one on the screen.")
    package static let unconfirmed = notOffered(
      .unconfirmed, "This action needs the user's answer to a question first.")
    package static let unsaved = notOffered(
      .unsaved, "What you typed is not saved yet. Save it, or discard it first.")
  }

  /// Why something is not offered at this moment. A reason, once published, keeps its meaning.
  package enum Reason: String, Sendable, CaseIterable {
    /// Another screen is in front, or one about something else.
    case notInFront
    /// The screen has no such action.
    case unknownAction
    /// The action is there, but cannot be done now.
    case disabled
    /// It has to be said for which item.
    case needsItem
    /// The list does not show that item.
    case itemGone
    /// There is text in front that is not saved.
    case unsaved
    /// The text is of another list, or of another user.
    case otherList
    /// The action asks a question about these edits, and the user has not seen it.
    case unconfirmed
  }

  /// Throws unless the screen has the action, enabled or not.
  package static func checkExists(_ name: String, in screen: Screen) throws(Refusal) {
    _ = try action(name, in: screen)
  }

  /// Sorts the values that come with an action into those of the form and those that the action
  /// asks for.
  ///
  /// Throws `unknownField` for a value that is neither.
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

  /// Throws unless every field is one of the screen's form.
  package static func checkFields(_ values: [String: String], in screen: Screen) throws(Refusal) {
    try check(values, areAmong: screen.fieldNames)
  }

  /// Throws `unknownField` unless every value is for one of these fields.
  package static func check(
    _ values: [String: String], areAmong fields: [String]
  ) throws(Refusal) {
    guard let field = values.keys.filter({ !fields.contains($0) }).min() else { return }
    throw .unknownField(field, known: fields)
  }

  /// Throws while a save of the form is in progress, which would lose the edits, and for edits of
  /// another form.
  package static func checkEdits(
    of screen: any DescribableScreen, base: String?
  ) throws(Refusal) {
    guard !screen.isSaving else {
      throw .notOffered(.disabled, "The text is being saved. Send your edits again after that.")
    }
    if let base { try screen.check(base: base) }
  }

  /// Throws `unconfirmed` if the action saves the form and asks a question about a text that the form
  /// did not have before. (A comparison that the user has not seen asks by itself.)
  ///
  /// - Parameters:
  ///   - screen: The screen with the edits that came with the action.
  ///   - shown: The screen without them.
  package static func checkConfirmation(
    _ name: String, in screen: Screen, shown: Screen, base: String?
  ) throws(Refusal) {
    let action = try action(name, in: screen)
    guard action.confirm != nil, action.role == .save || action.role == .merge else { return }
    let isUnseenComparison = screen.isComparison && base.map { $0 != screen.base } ?? false
    if screen.body != shown.body, !isUnseenComparison { throw .unconfirmed }
  }

  /// Throws unless the screen offers the action for all these items now.
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
      guard case .list(let list) = screen.body, list.items.contains(id: item) else {
        throw .notOffered(.itemGone, itemGone(of: items.count), item: item)
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
      throw .unknownAction
    }
    return action
  }
}

extension Screen {
  private var form: ScreenForm? { if case .form(let form) = body { form } else { nil } }

  /// The `base` of the form.
  fileprivate var base: String? { form?.base }

  fileprivate var isComparison: Bool { form?.layout == .compare }

  private var fields: [ScreenField] { form?.fields ?? [] }

  /// The names of the form's fields.
  fileprivate var fieldNames: [String] { fields.map(\.name) }

  /// What is wrong with what was typed.
  fileprivate var firstProblem: String? { fields.firstResult(of: \.error) }
}
