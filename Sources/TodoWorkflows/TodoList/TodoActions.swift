import ScreenModel
import TodoModel

extension ActionDeclarations {
  /// Declares the actions that move a todo past the todo above or below it.
  mutating func addMoves(
    isEnabled: Bool, effect: (String, MoveDirection, OperationToken?) -> Void
  ) {
    addForItem("moveUp", "Move up", role: .moveUp, key: "K", isEnabled: isEnabled) { item, call in
      effect(item, .up, call.token)
    }
    addForItem(
      "moveDown", "Move down", role: .moveDown, key: "J", isEnabled: isEnabled
    ) { item, call in
      effect(item, .down, call.token)
    }
  }

  /// Declares the actions on todos of a list.
  ///
  /// - Parameters:
  ///   - labels: The labels that are suggested to the user.
  ///   - isForMany: Whether several todos can be changed in one transaction.
  ///   - isEnabled: Whether the todos can be changed.
  ///   - effect: Performs an action. Its parameters are the IDs of the screen items to which the
  ///     user applies the action, the token of the call, and a closure. The closure returns the
  ///     output for the todos with given IDs.
  mutating func addTodoActions(
    labels: [String], isForMany: Bool, isEnabled: Bool = true,
    effect: ([String], OperationToken?, ([TodoID]) -> TodoListWorkflow.Output) -> Void
  ) {
    addForItem("open", "Open", role: .open, key: "o", isPrimary: true) { item, call in
      effect([item], call.token) { .open($0[0], call.token) }
    }
    addForItems(
      "toggle", "Done or not", role: .toggle, key: "x", isForMany: isForMany, isEnabled: isEnabled
    ) { items, call in
      effect(items, call.token) { .toggle($0, call.token) }
    }
    addForItems(
      "remove", "Remove", role: .remove, key: "d", isForMany: isForMany, isEnabled: isEnabled,
      confirm: "Remove this todo?", confirmMany: "Remove {count} todos?"
    ) { items, call in
      effect(items, call.token) { .remove($0, call.token) }
    }
    for field in ContentField.ofItems {
      guard let action = field.traits.itemAction else { continue }
      let input = ScreenField(
        name: field.rawValue, label: action.label.description,
        suggestions: field.suggestions(labels: labels))
      addForItems(
        action.name.description, action.title.description, key: action.key, isForMany: isForMany,
        isEnabled: isEnabled, input: [input]
      ) { items, call in
        let text = call.input[field.rawValue] ?? ""
        effect(items, call.token) { .adjust($0, FieldAdjustment(field, text), call.token) }
      }
    }
  }
}
