import System

/// Whether what a user did is something that a screen offers at this moment.
package enum ScreenOffer {
  package enum Refusal: Error, Equatable {
    /// The screen does not offer it now, whether it ever did or not. The sentence is for a person.
    case notOffered(Reason, String)
    /// There is no such field; `known` are those that there are.
    case unknownField(String, known: [String])

    package static let notInFront = notOffered(
      .notInFront, "Something else is on the screen now.")
    package static let unknownAction = notOffered(
      .unknownAction, "There is no such thing to do here.")
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

  /// Throws while what was typed is being saved: what is typed then would be lost. Also for text
  /// that was typed into a form about something else.
  package static func checkTakesText(
    _ screen: any DescribableScreen, typedOn base: String?
  ) throws(Refusal) {
    guard !screen.isSaving else {
      throw .notOffered(.disabled, "The text is being saved. Type on when that is done.")
    }
    if let base, !screen.takesText(typedOn: base) {
      throw .notOffered(
        .notInFront, "This text belongs to something else than what is on the screen now.")
    }
  }

  /// Throws unless the screen offers the action for the item now.
  package static func checkAction(
    _ name: String, item: String?, in screen: Screen
  ) throws(Refusal) {
    let action = try action(name, in: screen)
    guard action.isEnabled else {
      throw .notOffered(
        .disabled, screen.firstProblem ?? "“\(action.title)” cannot be done at this moment.")
    }
    guard action.scope == .item else { return }
    guard let item else { throw .notOffered(.needsItem, "Choose what to do it with.") }
    guard case .list(let list) = screen.body, list.items.contains(id: item) else {
      throw .notOffered(.itemGone, "The list does not show that item any more.")
    }
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
  private var fields: [ScreenField] { if case .form(let form) = body { form.fields } else { [] } }

  /// The names of the form's fields.
  fileprivate var fieldNames: [String] { fields.map(\.name) }

  /// What is wrong with what was typed.
  fileprivate var firstProblem: String? { fields.firstResult(of: \.error) }
}
