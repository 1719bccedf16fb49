import JSONRPC
import ScreenModel

/// Writes screens straight into an output buffer, in the order in which a person reads them.
package enum ScreenWire {
  /// The members of a full rendering: `revision` and `rendering`.
  ///
  /// - Parameter isFrontOnly: Whether the screen in front and the lists are enough; of all others
  ///   only what they are is written.
  package static func writeRendering(
    _ screens: [Screen], revision: Int64, isFrontOnly: Bool = false, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("revision")
    writer.integer(revision)
    writer.key("rendering")
    writer.beginObject()
    writer.key("items")
    writer.beginArray()
    for (index, screen) in screens.enumerated() {
      writer.beginObject()
      writer.key("screen")
      if isFrontOnly, index < screens.count - 1, !screen.isList {
        writeIdentity(of: screen, to: &writer)
      } else {
        write(screen, to: &writer)
      }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    writer.endObject()
  }

  /// No full rendering of these screens has fewer bytes.
  package static func bytesMin(of screens: [Screen]) -> Int {
    screens.reduce(0) { count, screen in
      // The braces, commas and keys that stand there whatever the texts are.
      let fixed = 100 + 50 * screen.actions.count
      switch screen.body {
      case .list(let list): return count + fixed + 20 * list.items.count
      case .form(let form):
        return form.fields.reduce(count + fixed) {
          $0 + 30 + ($1.isSecret ? 0 : $1.value?.utf8.count ?? 0)
        }
      case .progress: return count + fixed
      }
    }
  }

  /// What a screen is, and nothing of what is on it.
  private static func writeIdentity(of screen: Screen, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", screen.id)
    writer.member("name", screen.name)
    writer.member("title", screen.title)
    writer.endObject()
  }

  static func write(_ screen: Screen, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", screen.id)
    writer.member("name", screen.name)
    writer.member("title", screen.title)
    writer.member("subject", screen.subject)
    writer.key("bar")
    write(screen.bar, to: &writer)
    writer.key("body")
    write(screen.body, to: &writer)
    if let message = screen.message {
      writer.key("message")
      write(message, to: &writer)
    }
    writer.key("actions")
    write(screen.actions, to: &writer)
    writer.endObject()
  }

  static func write(_ message: ScreenMessage, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", message.id)
    writer.member("level", message.level.rawValue)
    writer.member("text", message.text)
    writer.endObject()
  }

  static func write(_ actions: [ScreenAction], to writer: inout JSONWriter) {
    writer.beginArray()
    for action in actions { write(action, to: &writer) }
    writer.endArray()
  }

  static func write(_ bar: ScreenBar, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("visible")
    writer.bool(bar.isVisible)
    writer.member("left", bar.left)
    writer.member("right", bar.right)
    writer.endObject()
  }

  static func write(_ body: ScreenBody, to writer: inout JSONWriter) {
    writer.beginObject()
    switch body {
    case .form(let form):
      writer.member("kind", "form")
      writer.member("base", form.base)
      writer.member("layout", form.layout?.rawValue)
      write(form.fields, key: "fields", to: &writer)
    case .list(let list):
      writer.member("kind", "list")
      writer.member("total", list.total)
      writer.member("offset", list.offset)
      writer.key("items")
      write(list.items, to: &writer)
      writer.member("empty", list.empty)
      if let status = list.status {
        writer.key("status")
        write(status, to: &writer)
      }
      writer.member("select", list.select)
    case .progress(let progress):
      writer.member("kind", "progress")
      writer.member("text", progress.text)
      writer.member("done", progress.done)
      writer.member("total", progress.total)
    }
    writer.endObject()
  }

  private static func write(
    _ fields: [ScreenField], key: String, to writer: inout JSONWriter
  ) {
    writer.key(key)
    writer.beginArray()
    for field in fields { write(field, to: &writer) }
    writer.endArray()
  }

  static func write(_ field: ScreenField, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", field.name)
    writer.member("label", field.label)
    writer.member("value", field.isSecret ? nil : field.value)
    if field.isSecret { writer.flag("secret") }
    if field.isMultiline { writer.flag("multiline") }
    if field.isReadOnly { writer.flag("readOnly") }
    writer.member("side", field.side?.rawValue)
    writer.member("error", field.error)
    writer.endObject()
  }

  static func write(_ items: ListItems, to writer: inout JSONWriter) {
    writer.beginArray()
    items.visit { write($0, to: &writer) }
    writer.endArray()
  }

  static func write(_ item: ListItem, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", item.id)
    writer.member("title", item.title)
    writer.member("detail", item.detail)
    if let isChecked = item.isChecked {
      writer.key("checked")
      writer.bool(isChecked)
    }
    writer.member("badge", item.badge)
    writer.member("tone", item.tone?.rawValue)
    writer.member("url", item.url)
    writer.member("preview", item.preview)
    writer.endObject()
  }

  static func write(_ status: ListStatus, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("pending", status.pending)
    writer.member("conflicts", status.conflicts)
    writer.member("failed", status.failed)
    writer.member("syncedAt", status.syncedAt)
    writer.member("retryAt", status.retryAt)
    writer.endObject()
  }

  static func write(_ action: ScreenAction, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", action.name)
    writer.member("title", action.title)
    writer.key("enabled")
    writer.bool(action.isEnabled)
    writer.member("scope", action.scope.rawValue)
    writer.member("role", action.role?.rawValue)
    writer.member("key", action.key.map { String($0) })
    if action.isPrimary { writer.flag("primary") }
    writer.member("confirm", action.confirm)
    if !action.input.isEmpty { write(action.input, key: "input", to: &writer) }
    writer.endObject()
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ key: StaticString, _ text: String?) {
    guard let text else { return }
    self.key(key)
    string(text)
  }

  fileprivate mutating func member(_ key: StaticString, _ number: Int?) {
    guard let number else { return }
    self.key(key)
    integer(Int64(number))
  }

  fileprivate mutating func flag(_ key: StaticString) {
    self.key(key)
    bool(true)
  }
}
