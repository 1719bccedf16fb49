import JSONRPC
import ScreenModel

/// Writes what has changed between two renderings as the operations of RFC 6902.
///
/// Screens are compared member by member; lists know what was changed in them, so a long one is
/// not walked.
package struct ScreenPatch {
  private var writer: JSONWriter

  /// The members of a rendering that is a patch: `revision`, `base` and `patch`.
  package static func writeRendering(
    from old: [Screen], base: Int64, to new: [Screen], revision: Int64,
    into writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("revision")
    writer.integer(revision)
    writer.key("base")
    writer.integer(base)
    writer.key("patch")
    writer.beginArray()
    // Moved there and back, for a copy would copy everything that is written already.
    var patch = ScreenPatch(writer: JSONWriter())
    swap(&patch.writer, &writer)
    patch.compare(old, new)
    swap(&patch.writer, &writer)
    writer.endArray()
    writer.endObject()
  }

  // MARK: Operations

  private mutating func operation(
    _ name: String, _ path: String, _ value: (inout JSONWriter) -> Void
  ) {
    writer.beginObject()
    writer.key("op")
    writer.string(name)
    writer.key("path")
    writer.string(path)
    writer.key("value")
    value(&writer)
    writer.endObject()
  }

  private mutating func remove(_ path: String) {
    writer.beginObject()
    writer.key("op")
    writer.string("remove")
    writer.key("path")
    writer.string(path)
    writer.endObject()
  }

  private mutating func replace(_ path: String, _ text: String) {
    operation("replace", path) { $0.string(text) }
  }

  private mutating func replace(_ path: String, _ number: Int) {
    operation("replace", path) { $0.integer(Int64(number)) }
  }

  private mutating func replace(_ path: String, _ flag: Bool) {
    operation("replace", path) { $0.bool(flag) }
  }

  /// A member that may be absent.
  private mutating func member<Value>(
    _ path: String, _ old: Value?, _ new: Value?, _ write: (Value, inout JSONWriter) -> Void
  ) {
    switch (old, new) {
    case (nil, nil): break
    case (_?, nil): remove(path)
    case (nil, let new?): operation("add", path) { write(new, &$0) }
    case (_?, let new?): operation("replace", path) { write(new, &$0) }
    }
  }

  private mutating func text(_ path: String, _ old: String?, _ new: String?) {
    guard !hasSameBytes(old, new) else { return }
    member(path, old, new) { $1.string($0) }
  }

  // MARK: Screens

  private mutating func compare(_ old: [Screen], _ new: [Screen]) {
    for index in old.indices.reversed() where index >= new.count { remove("/items/\(index)") }
    for (index, screen) in new.enumerated() {
      if index >= old.count {
        operation("add", "/items/-") { Self.write(screen, &$0) }
      } else if old[index].id != screen.id {
        operation("replace", "/items/\(index)") { Self.write(screen, &$0) }
      } else {
        compare(old[index], screen, "/items/\(index)/screen")
      }
    }
  }

  private static func write(_ screen: Screen, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("screen")
    ScreenWire.write(screen, to: &writer)
    writer.endObject()
  }

  private mutating func compare(_ old: Screen, _ new: Screen, _ path: String) {
    text("\(path)/title", old.title, new.title)
    text("\(path)/subject", old.subject, new.subject)
    if old.bar != new.bar {
      operation("replace", "\(path)/bar") { ScreenWire.write(new.bar, to: &$0) }
    }
    compare(old.body, new.body, "\(path)/body")
    if old.message != new.message {
      member("\(path)/message", old.message, new.message) { ScreenWire.write($0, to: &$1) }
    }
    compare(old.actions, new.actions, "\(path)/actions")
  }

  private mutating func compare(_ old: [ScreenAction], _ new: [ScreenAction], _ path: String) {
    guard old.map(\.name) == new.map(\.name) else {
      return operation("replace", path) { ScreenWire.write(new, to: &$0) }
    }
    for (index, (before, after)) in zip(old, new).enumerated() where before != after {
      let path = "\(path)/\(index)"
      var offered = before
      (offered.isEnabled, offered.confirm) = (after.isEnabled, after.confirm)
      guard offered == after else {
        operation("replace", path) { ScreenWire.write(after, to: &$0) }
        continue
      }
      if before.isEnabled != after.isEnabled { replace("\(path)/enabled", after.isEnabled) }
      text("\(path)/confirm", before.confirm, after.confirm)
    }
  }

  private mutating func compare(_ old: ScreenBody, _ new: ScreenBody, _ path: String) {
    switch (old, new) {
    case (.form(let old), .form(let new)) where old.hasSameFields(as: new):
      text("\(path)/base", old.base, new.base)
      text("\(path)/layout", old.layout?.rawValue, new.layout?.rawValue)
      for (index, (before, after)) in zip(old.fields, new.fields).enumerated()
      where before != after {
        compare(before, after, "\(path)/fields/\(index)")
      }
    case (.list(let old), .list(let new)): compare(old, new, path)
    case (.progress(let old), .progress(let new)):
      text("\(path)/text", old.text, new.text)
      if old.done != new.done {
        member("\(path)/done", old.done, new.done) { $1.integer(Int64($0)) }
      }
      if old.total != new.total {
        member("\(path)/total", old.total, new.total) { $1.integer(Int64($0)) }
      }
    case (.form, _), (.list, _), (.progress, _):
      operation("replace", path) { ScreenWire.write(new, to: &$0) }
    }
  }

  private mutating func compare(_ old: ScreenField, _ new: ScreenField, _ path: String) {
    var same = old
    (same.value, same.error) = (new.value, new.error)
    guard same == new, old.isSecret == false else {
      return operation("replace", path) { ScreenWire.write(new, to: &$0) }
    }
    text("\(path)/value", old.value, new.value)
    text("\(path)/error", old.error, new.error)
  }

  // MARK: Lists

  private mutating func compare(_ old: ScreenList, _ new: ScreenList, _ path: String) {
    if old.total != new.total { replace("\(path)/total", new.total) }
    if old.offset != new.offset { replace("\(path)/offset", new.offset) }
    text("\(path)/empty", old.empty, new.empty)
    if old.status != new.status {
      member("\(path)/status", old.status, new.status) { ScreenWire.write($0, to: &$1) }
    }
    text("\(path)/select", old.select, new.select)
    let items = "\(path)/items"
    guard let changes = new.items.changes(since: old.items) else {
      return operation("replace", items) { ScreenWire.write(new.items, to: &$0) }
    }
    if case .replace(let item, let index)? = changes.first, changes.count == 1,
      let before = old.items[index]
    {
      return compare(before, item, "\(items)/\(index)")
    }
    for change in changes {
      switch change {
      case .insert(let item, let index):
        operation("add", "\(items)/\(index)") { ScreenWire.write(item, to: &$0) }
      case .remove(let index): remove("\(items)/\(index)")
      case .replace(let item, let index):
        operation("replace", "\(items)/\(index)") { ScreenWire.write(item, to: &$0) }
      }
    }
  }

  private mutating func compare(_ old: ListItem, _ new: ListItem, _ path: String) {
    text("\(path)/title", old.title, new.title)
    text("\(path)/detail", old.detail, new.detail)
    if old.isChecked != new.isChecked {
      member("\(path)/checked", old.isChecked, new.isChecked) { $1.bool($0) }
    }
    text("\(path)/badge", old.badge, new.badge)
    text("\(path)/tone", old.tone?.rawValue, new.tone?.rawValue)
    text("\(path)/url", old.url, new.url)
    text("\(path)/preview", old.preview, new.preview)
  }
}

extension ScreenForm {
  fileprivate func hasSameFields(as other: ScreenForm) -> Bool {
    fields.elementsEqual(other.fields) { $0.name == $1.name }
  }
}

private func hasSameBytes(_ a: String?, _ b: String?) -> Bool {
  switch (a, b) {
  case (nil, nil): true
  case (let a?, let b?): a.utf8.elementsEqual(b.utf8)
  case (nil, _?), (_?, nil): false
  }
}
