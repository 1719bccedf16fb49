import JSONRPC
import ScreenModel

/// Writes what has changed between two renderings as the operations of RFC 6902.
///
/// Screens are compared member by member; lists know what was changed in them, so a long one is
/// not walked.
package struct ScreenPatch {
  private var writer: JSONWriter
  /// Where the comparison is, as the beginning of a JSON string.
  private var path: [UInt8]

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
    var path: [UInt8] = []
    path.reserveCapacity(64)
    path.append(UInt8(ascii: "\""))
    // Moved there and back, for a copy would copy everything that is written already.
    var patch = ScreenPatch(writer: JSONWriter(), path: path)
    swap(&patch.writer, &writer)
    patch.compare(old, new)
    swap(&patch.writer, &writer)
    writer.endArray()
    writer.endObject()
  }

  // MARK: Paths

  /// Goes on below a member.
  private mutating func at(_ name: StaticString, _ body: (inout ScreenPatch) -> Void) {
    let count = path.count
    path.append(UInt8(ascii: "/"))
    path.append(
      contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    body(&self)
    path.removeLast(path.count - count)
  }

  /// Goes on below an element.
  private mutating func at(_ index: Int, _ body: (inout ScreenPatch) -> Void) {
    let count = path.count
    path.append(UInt8(ascii: "/"))
    if index < 10 {
      path.append(UInt8(ascii: "0") + UInt8(index))
    } else {
      path.append(contentsOf: String(index).utf8)
    }
    body(&self)
    path.removeLast(path.count - count)
  }

  // MARK: Operations

  private mutating func operation(
    _ name: StaticString, _ value: (inout JSONWriter) -> Void
  ) {
    writer.beginObject()
    writer.key("op")
    writer.string(name)
    writePath()
    writer.key("value")
    value(&writer)
    writer.endObject()
  }

  private mutating func remove() {
    writer.beginObject()
    writer.key("op")
    writer.string("remove")
    writePath()
    writer.endObject()
  }

  private mutating func writePath() {
    writer.key("path")
    path.append(UInt8(ascii: "\""))
    writer.raw(path)
    path.removeLast()
  }

  private mutating func replace(_ value: (inout JSONWriter) -> Void) {
    operation("replace", value)
  }

  /// A number that is always there.
  private mutating func number(_ name: StaticString, _ old: Int, _ new: Int) {
    guard old != new else { return }
    at(name) { $0.replace { $0.integer(Int64(new)) } }
  }

  /// A member that may be absent.
  private mutating func member<Value>(
    _ name: StaticString, _ old: Value?, _ new: Value?,
    _ write: (Value, inout JSONWriter) -> Void
  ) {
    at(name) { patch in
      switch (old, new) {
      case (nil, nil): break
      case (_?, nil): patch.remove()
      case (nil, let new?): patch.operation("add") { write(new, &$0) }
      case (_?, let new?): patch.replace { write(new, &$0) }
      }
    }
  }

  private mutating func text(_ name: StaticString, _ old: String?, _ new: String?) {
    guard !hasSameBytes(old, new) else { return }
    member(name, old, new) { $1.string($0) }
  }

  // MARK: Screens

  private mutating func compare(_ old: [Screen], _ new: [Screen]) {
    at("items") { patch in
      for index in old.indices.reversed() where index >= new.count {
        patch.at(index) { $0.remove() }
      }
      for (index, screen) in new.enumerated() {
        if index >= old.count {
          patch.at("-") { $0.operation("add") { Self.write(screen, &$0) } }
        } else if old[index].id != screen.id {
          patch.at(index) { $0.replace { Self.write(screen, &$0) } }
        } else {
          patch.at(index) { $0.at("screen") { $0.compare(old[index], screen) } }
        }
      }
    }
  }

  private static func write(_ screen: Screen, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("screen")
    ScreenWire.write(screen, to: &writer)
    writer.endObject()
  }

  private mutating func compare(_ old: Screen, _ new: Screen) {
    text("title", old.title, new.title)
    text("subject", old.subject, new.subject)
    if old.bar != new.bar {
      at("bar") { $0.replace { ScreenWire.write(new.bar, to: &$0) } }
    }
    at("body") { $0.compare(old.body, new.body) }
    if old.message != new.message {
      member("message", old.message, new.message) { ScreenWire.write($0, to: &$1) }
    }
    at("actions") { $0.compare(old.actions, new.actions) }
  }

  private mutating func compare(_ old: [ScreenAction], _ new: [ScreenAction]) {
    guard old.elementsEqual(new, by: { $0.name == $1.name }) else {
      return replace { ScreenWire.write(new, to: &$0) }
    }
    for (index, (before, after)) in zip(old, new).enumerated() where before != after {
      at(index) { $0.compare(before, after) }
    }
  }

  private mutating func compare(_ old: ScreenAction, _ new: ScreenAction) {
    var offered = old
    (offered.isEnabled, offered.confirm) = (new.isEnabled, new.confirm)
    guard offered == new else { return replace { ScreenWire.write(new, to: &$0) } }
    if old.isEnabled != new.isEnabled {
      at("enabled") { $0.replace { $0.bool(new.isEnabled) } }
    }
    text("confirm", old.confirm, new.confirm)
  }

  private mutating func compare(_ old: ScreenBody, _ new: ScreenBody) {
    switch (old, new) {
    case (.form(let old), .form(let new)) where old.hasSameFields(as: new):
      text("base", old.base, new.base)
      text("layout", old.layout?.rawValue, new.layout?.rawValue)
      at("fields") { patch in
        for (index, (before, after)) in zip(old.fields, new.fields).enumerated()
        where before != after {
          patch.at(index) { $0.compare(before, after) }
        }
      }
    case (.list(let old), .list(let new)): compare(old, new)
    case (.progress(let old), .progress(let new)):
      text("text", old.text, new.text)
      if old.done != new.done {
        member("done", old.done, new.done) { $1.integer(Int64($0)) }
      }
      if old.total != new.total {
        member("total", old.total, new.total) { $1.integer(Int64($0)) }
      }
    case (.form, _), (.list, _), (.progress, _):
      replace { ScreenWire.write(new, to: &$0) }
    }
  }

  private mutating func compare(_ old: ScreenField, _ new: ScreenField) {
    var same = old
    (same.value, same.error) = (new.value, new.error)
    guard same == new, old.isSecret == false else {
      return replace { ScreenWire.write(new, to: &$0) }
    }
    text("value", old.value, new.value)
    text("error", old.error, new.error)
  }

  // MARK: Lists

  private mutating func compare(_ old: ScreenList, _ new: ScreenList) {
    number("total", old.total, new.total)
    number("offset", old.offset, new.offset)
    text("empty", old.empty, new.empty)
    if old.status != new.status {
      member("status", old.status, new.status) { ScreenWire.write($0, to: &$1) }
    }
    text("select", old.select, new.select)
    at("items") { $0.compare(old.items, new.items) }
  }

  private mutating func compare(_ old: ListItems, _ new: ListItems) {
    guard let changes = new.changes(since: old) else {
      return replace { ScreenWire.write(new, to: &$0) }
    }
    if case .replace(let item, let index)? = changes.first, changes.count == 1,
      let before = old[index]
    {
      return at(index) { $0.compare(before, item) }
    }
    for change in changes {
      switch change {
      case .insert(let item, let index):
        at(index) { $0.operation("add") { ScreenWire.write(item, to: &$0) } }
      case .remove(let index): at(index) { $0.remove() }
      case .replace(let item, let index):
        at(index) { $0.replace { ScreenWire.write(item, to: &$0) } }
      }
    }
  }

  private mutating func compare(_ old: ListItem, _ new: ListItem) {
    text("title", old.title, new.title)
    text("detail", old.detail, new.detail)
    if old.isChecked != new.isChecked {
      member("checked", old.isChecked, new.isChecked) { $1.bool($0) }
    }
    text("badge", old.badge, new.badge)
    text("tone", old.tone?.rawValue, new.tone?.rawValue)
    text("url", old.url, new.url)
    text("preview", old.preview, new.preview)
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
