import ScreenModel
import TodoModel

extension ActionDeclarations {
  /// Declares what a user can do with each todo of a list.
  ///
  /// - Parameters:
  ///   - labels: Labels to offer the user.
  ///   - effect: Receives the id of the item, and makes the output for its todo.
  mutating func addTodoActions(
    labels: [String],
    effect: (String, (TodoID) -> TodoListWorkflow.Output) -> Void
  ) {
    addForItem("open", "Open", role: .open, key: "o", isPrimary: true) { item, call in
      effect(item) { .open($0, call.token) }
    }
    addForItem("toggle", "Done or not", role: .toggle, key: "x") { item, call in
      effect(item) { .toggle($0, call.token) }
    }
    addForItem(
      "remove", "Remove", role: .remove, key: "d", confirm: "Remove this todo?"
    ) { item, call in
      effect(item) { .remove($0, call.token) }
    }
    for field in ContentField.ofItems {
      guard let action = field.traits.itemAction else { continue }
      let input = ScreenField(
        name: field.rawValue, label: action.label.description,
        suggestions: field.suggestions(labels: labels))
      addForItem(
        action.name.description, action.title.description, key: action.key, input: [input]
      ) { item, call in
        let text = call.input[field.rawValue] ?? ""
        effect(item) { .adjust($0, FieldAdjustment(field, text), call.token) }
      }
    }
  }
}
