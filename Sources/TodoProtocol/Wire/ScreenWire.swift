import JSONRPC
import ScreenModel
import TodoWire

// The members are written in the order in which the user sees them on the screen.

extension Screen: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "screen", "A screen: its bar, body, message and actions.")
  package static let sample = Screen(
    name: "", title: "", bar: .hidden, body: .form([]), actions: [])

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("id", id)
    members.required("name", name)
    members.required("title", title)
    members.optional("subject", subject)
    members.required("bar", bar)
    members.required("body", body)
    members.optional("message", message)
    members.required("actions", actions)
  }
}

/// A screen without its contents. In a reduced rendering, it is sent for each screen that is
/// neither in front nor a list.
struct ScreenIdentity: WrittenObject {
  let screen: Screen

  static let definition: SchemaDefinition? = SchemaDefinition(
    "screenIdentity", "A covered screen, of which only the name is shown.")
  static let sample = ScreenIdentity(screen: .sample)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("id", screen.id)
    members.required("name", screen.name)
    members.required("title", screen.title)
  }
}

extension ScreenBar: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "bar", "The bar of a screen, which names actions.")
  package static let sample = ScreenBar()

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("visible", isVisible)
    members.optional("left", left)
    members.optional("right", right)
  }
}

extension ScreenMessage: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "message", "A message to the user.")
  package static let sample = ScreenMessage(.info, "")

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("id", id)
    members.required("level", level)
    members.required("text", text)
  }
}

extension ScreenMessage.Level: WrittenEnumValue {}

// MARK: Bodies

extension ScreenBody: WrittenValue {
  package static var schema: Schema {
    .anyOf([ScreenForm.schema, ScreenList.schema, ScreenProgress.schema], isOpen: false)
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .form(let form): form.write(to: &writer)
    case .list(let list): list.write(to: &writer)
    case .progress(let progress): progress.write(to: &writer)
    }
  }
}

extension ScreenForm: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "form", "A body with fields that the user edits.")
  package static let sample = ScreenForm([])

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.constant("kind", "form")
    members.optional("base", base)
    members.optional("layout", layout)
    members.required("fields", fields)
  }
}

extension ScreenForm.Layout: WrittenEnumValue {}

extension ScreenField: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "field", "A field of a form, or of the input of an action.")
  package static let sample = ScreenField(name: "", label: "")

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("name", name)
    members.required("label", label)
    members.optional("value", isSecret ? nil : value)
    members.flag("secret", isSecret)
    members.flag("multiline", isMultiline)
    members.flag("readOnly", isReadOnly)
    members.optional("side", side)
    members.optional("error", error)
    members.optional("suggest", suggestions.isEmpty ? nil : suggestions)
  }
}

extension ComparedSide: WrittenEnumValue {}

extension ScreenList: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "list", "A body with rows.")
  package static let sample = ScreenList(total: 0, offset: 0, items: ListItems(), empty: "")

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.constant("kind", "list")
    members.required("total", total)
    members.required("offset", offset)
    members.required("items", items)
    members.required("empty", empty)
    members.optional("status", status)
    members.optional("select", select?.id)
  }
}

extension ListStatus: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "status", "How many todos of a list differ from its source.")
  package static let sample = ListStatus(pending: 0, conflicts: 0, failed: 0)

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("pending", pending)
    members.required("conflicts", conflicts)
    members.required("failed", failed)
    members.optional("syncedAt", syncedAt)
    members.optional("retryAt", retryAt)
  }
}

extension ListItems: WrittenValue {
  package static var schema: Schema { .array(ListItem.schema) }

  package func write(to writer: inout JSONWriter) {
    writer.beginArray()
    visit { $0.write(to: &writer) }
    writer.endArray()
  }
}

extension ListItem: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "item", "A row of a list.")
  package static let sample = ListItem(id: "", title: "")

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("id", id)
    members.required("title", title)
    members.optional("detail", detail)
    members.optional("section", section)
    members.optional("labels", labels.isEmpty ? nil : labels)
    members.optional("checked", isChecked)
    members.optional("badge", badge)
    members.optional("tone", tone)
    members.optional("url", url)
    members.optional("preview", preview)
    members.flag("readOnly", isReadOnly)
  }
}

extension ListItem.Tone: WrittenEnumValue {}

extension ScreenProgress: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "progress", "A body for an operation that takes time.")
  package static let sample = ScreenProgress(text: "")

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.constant("kind", "progress")
    members.required("text", text)
    members.optional("done", done)
    members.optional("total", total)
  }
}

// MARK: Actions

extension ScreenAction: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "action", "An action of a screen or of the items of its list.")
  package static let sample = ScreenAction(name: "", title: "")

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("name", name)
    members.required("title", title)
    members.required("enabled", isEnabled)
    members.required("scope", scope)
    members.optional("role", role)
    members.optional("key", key.map { String($0) })
    members.flag("primary", isPrimary)
    members.optional("confirm", confirm)
    members.flag("many", isForMany)
    members.optional("confirmMany", confirmMany)
    members.optional("input", input.isEmpty ? nil : input)
  }
}

extension ScreenAction.Scope: WrittenEnumValue {}

extension ActionRole: WrittenEnumValue {
  package static let isOpen = true
}
