/// What one screen shows and offers, as plain values: everything that a front-end draws.
///
/// A screen has one of three bodies (form, list, progress), so a new screen needs nothing new in
/// any front-end.
package struct Screen: Sendable, Equatable {
  /// The screen's own name, which a front-end sends back with what the user did.
  package var name: String
  package var title: String
  package var bar: ScreenBar
  package var body: ScreenBody
  package var message: ScreenMessage?
  package var actions: [ScreenAction]

  package init(
    name: String, title: String, bar: ScreenBar, body: ScreenBody, message: ScreenMessage? = nil,
    actions: [ScreenAction]
  ) {
    self.name = name
    self.title = title
    self.bar = bar
    self.body = body
    self.message = message
    self.actions = actions
  }

  package var isList: Bool { if case .list = body { true } else { false } }

  /// The screen as it is shown below another one: its actions are seen, but not offered.
  package func inBackground() -> Screen {
    var copy = self
    for index in copy.actions.indices { copy.actions[index].isEnabled = false }
    return copy
  }
}

/// The bar over a screen; left and right name actions of the screen.
package struct ScreenBar: Sendable, Equatable {
  package var isVisible: Bool
  package var left: String?
  package var right: String?

  package init(isVisible: Bool = true, left: String? = nil, right: String? = nil) {
    self.isVisible = isVisible
    self.left = left
    self.right = right
  }

  package static let hidden = ScreenBar(isVisible: false)
}

/// A sentence for the user.
package struct ScreenMessage: Sendable, Equatable {
  package enum Level: String, Sendable, CaseIterable { case info, warning, error }
  package var level: Level
  package var text: String

  package init(_ level: Level, _ text: String) {
    self.level = level
    self.text = text
  }
}

package enum ScreenBody: Sendable, Equatable {
  case form([ScreenField])
  case list(ScreenList)
  case progress(ScreenProgress)
}

/// One field of a form, or one that an action asks for.
package struct ScreenField: Sendable, Equatable {
  package var name: String
  package var label: String
  /// Never set for a secret field: what was typed there does not come back.
  package var value: String?
  package var isSecret: Bool
  package var isMultiline: Bool
  /// There to be read: what is typed into it changes nothing.
  package var isReadOnly: Bool
  /// What is wrong with the value.
  package var error: String?

  package init(name: String, label: String, value: String = "", error: String? = nil) {
    (self.name, self.label, self.value, self.error) = (name, label, value, error)
    (isSecret, isMultiline, isReadOnly) = (false, false, false)
  }

  package static func secret(name: String, label: String, error: String? = nil) -> ScreenField {
    var field = ScreenField(name: name, label: label, error: error)
    field.value = nil
    field.isSecret = true
    return field
  }

  package static func multiline(
    name: String, label: String, value: String = "", error: String? = nil
  ) -> ScreenField {
    var field = ScreenField(name: name, label: label, value: value, error: error)
    field.isMultiline = true
    return field
  }

  /// Several lines that are there to be read.
  package static func text(name: String, label: String, value: String) -> ScreenField {
    var field = multiline(name: name, label: label, value: value)
    field.isReadOnly = true
    return field
  }

  package static func == (a: ScreenField, b: ScreenField) -> Bool {
    a.name == b.name && a.label == b.label && a.isSecret == b.isSecret
      && a.isMultiline == b.isMultiline && a.isReadOnly == b.isReadOnly
      && sameBytes(a.value, b.value) && a.error == b.error
  }
}

/// A list, or the part of it that is shown.
package struct ScreenList: Sendable, Equatable {
  /// How many items the whole list has.
  package var total: Int
  /// Where the shown part begins.
  package var offset: Int
  package var items: ListItems
  /// What to show when there is nothing to show.
  package var empty: String

  package init(total: Int, offset: Int, items: ListItems, empty: String) {
    self.total = total
    self.offset = offset
    self.items = items
    self.empty = empty
  }
}

package struct ListItem: Sendable, Equatable {
  package var id: String
  package var title: String
  package var detail: String?
  /// Nil: the item has no check mark.
  package var isChecked: Bool?
  package var badge: String?

  package init(
    id: String, title: String, detail: String? = nil, isChecked: Bool? = nil, badge: String? = nil
  ) {
    self.id = id
    self.title = title
    self.detail = detail
    self.isChecked = isChecked
    self.badge = badge
  }

  package static func == (a: ListItem, b: ListItem) -> Bool {
    a.id == b.id && a.isChecked == b.isChecked && a.badge == b.badge && a.detail == b.detail
      && sameBytes(a.title, b.title)
  }
}

/// Whether both texts are the same bytes. `==` would also take two spellings of one character for
/// the same, and a front-end would keep the old one.
private func sameBytes(_ a: String?, _ b: String?) -> Bool {
  switch (a, b) {
  case (let a?, let b?): a.utf8.elementsEqual(b.utf8)
  case (nil, nil): true
  default: false
  }
}

package struct ScreenProgress: Sendable, Equatable {
  package var text: String
  package var done: Int?
  package var total: Int?

  package init(text: String, done: Int? = nil, total: Int? = nil) {
    self.text = text
    self.done = done
    self.total = total
  }
}
