import JSONRPC
import ScreenModel
import TodoWire

/// A writer of the changes between two renderings as a JSON Patch (RFC 6902).
///
/// Screens are compared member by member. Lists record their changes, so their items rarely need to
/// be compared.
struct ScreenPatch: ~Copyable {
  private var writer: JSONWriter
  /// The path of the value that is being compared.
  private var path = PatchPath()

  static func writeSteps(
    from old: [Screen], to new: [Screen], to writer: inout JSONWriter
  ) {
    // The writer cannot be copied, so it is moved into the patch and back.
    var patch = ScreenPatch(writer: JSONWriter())
    swap(&patch.writer, &writer)
    patch.compare(old, new)
    swap(&patch.writer, &writer)
  }

  // MARK: Paths

  private init(writer: consuming JSONWriter) { self.writer = writer }

  /// Appends a component to the path, calls `body`, and removes the component.
  private mutating func at(_ component: PatchPath.Component, _ body: (inout ScreenPatch) -> Void) {
    path.components.append(component)
    body(&self)
    path.components.removeLast()
  }

  private mutating func at(_ name: StaticString, _ body: (inout ScreenPatch) -> Void) {
    at(.name(name), body)
  }

  private mutating func at(_ index: Int, _ body: (inout ScreenPatch) -> Void) {
    at(.index(index), body)
  }

  // MARK: Steps

  private mutating func step<Value: WrittenValue>(
    _ operation: PatchOperation, _ value: Value?
  ) {
    let step = PatchStep(operation: operation, path: path, value: value)
    step.write(to: &writer)
  }

  private mutating func add(_ value: some WrittenValue) { step(.add, value) }
  private mutating func replace(_ value: some WrittenValue) { step(.replace, value) }
  private mutating func remove() { step(.remove, PatchedValue?.none) }

  /// Writes a step if a required member has changed.
  private mutating func required<Value: WrittenValue & Equatable>(
    _ name: StaticString, _ old: Value, _ new: Value
  ) {
    guard old != new else { return }
    at(name) { $0.replace(new) }
  }

  /// Writes a step if an optional member has changed.
  private mutating func optional<Value: WrittenValue & Equatable>(
    _ name: StaticString, _ old: Value?, _ new: Value?
  ) {
    guard old != new else { return }
    member(name, old, new)
  }

  private mutating func member<Value: WrittenValue>(
    _ name: StaticString, _ old: Value?, _ new: Value?
  ) {
    at(name) { patch in
      switch (old, new) {
      case (nil, nil): break
      case (_?, nil): patch.remove()
      case (nil, let new?): patch.add(new)
      case (_?, let new?): patch.replace(new)
      }
    }
  }

  private mutating func text(_ name: StaticString, _ old: String?, _ new: String?) {
    guard !sameBytes(old, new) else { return }
    member(name, old, new)
  }

  /// Writes a step if an array of texts has changed. An empty array is sent as a missing member.
  private mutating func texts(_ name: StaticString, _ old: [String], _ new: [String]) {
    guard !sameBytes(old, new) else { return }
    member(name, old.isEmpty ? nil : old, new.isEmpty ? nil : new)
  }

  // MARK: Screens

  private mutating func compare(_ old: [Screen], _ new: [Screen]) {
    at("items") { patch in
      for index in old.indices.reversed() where index >= new.count {
        patch.at(index) { $0.remove() }
      }
      for index in new.indices {
        if index >= old.count {
          patch.at("-") { $0.add(StackedScreen(screen: .whole(new[index]))) }
        } else if old.span[index].id != new.span[index].id {
          patch.at(index) { $0.replace(StackedScreen(screen: .whole(new[index]))) }
        } else {
          // `span` gives elements without copying them, but closures cannot capture it.
          patch.path.components.append(.index(index))
          patch.path.components.append(.name("screen"))
          patch.compare(old.span[index], new.span[index])
          patch.path.components.removeLast(2)
        }
      }
    }
  }

  private mutating func compare(_ old: borrowing Screen, _ new: borrowing Screen) {
    text("title", old.title, new.title)
    text("subject", old.subject, new.subject)
    required("bar", old.bar, new.bar)
    at("body") { $0.compare(old.body, new.body) }
    optional("message", old.message, new.message)
    at("actions") { $0.compare(old.actions, new.actions) }
  }

  private mutating func compare(_ old: [ScreenAction], _ new: [ScreenAction]) {
    // Actions rarely change.
    if old == new { return }
    guard old.elementsEqual(new, by: { $0.name == $1.name }) else {
      return replace(new)
    }
    for index in old.indices where old[index] != new[index] {
      at(index) { $0.compare(old[index], new[index]) }
    }
  }

  private mutating func compare(_ old: ScreenAction, _ new: ScreenAction) {
    var offered = old
    (offered.isEnabled, offered.confirm) = (new.isEnabled, new.confirm)
    guard offered == new else { return replace(new) }
    required("enabled", old.isEnabled, new.isEnabled)
    text("confirm", old.confirm, new.confirm)
  }

  private mutating func compare(_ old: ScreenBody, _ new: ScreenBody) {
    switch (old, new) {
    case (.form(let old), .form(let new)) where old.hasSameFields(as: new):
      text("base", old.base, new.base)
      optional("layout", old.layout, new.layout)
      at("fields") { patch in
        for index in old.fields.indices {
          patch.path.components.append(.index(index))
          patch.compare(old.fields.span[index], new.fields.span[index])
          patch.path.components.removeLast()
        }
      }
    case (.list(let old), .list(let new)): compare(old, new)
    case (.progress(let old), .progress(let new)):
      text("text", old.text, new.text)
      optional("done", old.done, new.done)
      optional("total", old.total, new.total)
    case (.form, _), (.list, _), (.progress, _):
      replace(new)
    }
  }

  private mutating func compare(_ old: borrowing ScreenField, _ new: borrowing ScreenField) {
    guard old.hasSameDeclaration(as: new), !old.isSecret else {
      if old != new { replace(new) }
      return
    }
    text("value", old.value, new.value)
    text("error", old.error, new.error)
  }

  // MARK: Lists

  private mutating func compare(_ old: ScreenList, _ new: ScreenList) {
    required("total", old.total, new.total)
    required("offset", old.offset, new.offset)
    text("empty", old.empty, new.empty)
    optional("status", old.status, new.status)
    text("select", old.select?.id, new.select?.id)
    at("items") { $0.compare(old.items, new.items) }
  }

  private mutating func compare(_ old: ListItems, _ new: ListItems) {
    guard let changes = new.changes(since: old) else {
      return replace(new)
    }
    if case .replace(let item, let index)? = changes.first, changes.count == 1,
      let before = old[index]
    {
      return at(index) { $0.compare(before, item) }
    }
    for change in changes {
      switch change {
      case .insert(let item, let index): at(index) { $0.add(item) }
      case .remove(let index): at(index) { $0.remove() }
      case .replace(let item, let index): at(index) { $0.replace(item) }
      }
    }
  }

  private mutating func compare(_ old: ListItem, _ new: ListItem) {
    text("title", old.title, new.title)
    text("detail", old.detail, new.detail)
    text("section", old.section, new.section)
    texts("labels", old.labels, new.labels)
    optional("checked", old.isChecked, new.isChecked)
    text("badge", old.badge, new.badge)
    optional("tone", old.tone, new.tone)
    text("url", old.url, new.url)
    text("preview", old.preview, new.preview)
    optional("readOnly", old.isReadOnly ? true : nil, new.isReadOnly ? true : nil)
  }
}

extension ScreenForm {
  fileprivate func hasSameFields(as other: ScreenForm) -> Bool {
    // The fields are compared by index, because `zip` would copy both arrays.
    fields.count == other.fields.count
      && fields.indices.allSatisfy { fields[$0].name == other.fields[$0].name }
  }
}
