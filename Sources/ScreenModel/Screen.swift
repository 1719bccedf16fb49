/// What one screen shows and offers, as plain values: everything that a front-end draws.
///
/// A screen has one of three bodies (form, list, progress), so a new screen needs nothing new in
/// any front-end.
package struct Screen: Sendable, Equatable {
  /// Says whether this is the same thing as before, such as one todo's text, and not only a screen
  /// of the same name.
  package var id: String
  /// The screen's own name, which a front-end sends back with what the user did.
  package var name: String
  package var title: String
  /// What a person would call what the screen is about, such as the title of a todo.
  package var subject: String?
  package var bar: ScreenBar
  package var body: ScreenBody
  package var message: ScreenMessage?
  package var actions: [ScreenAction]

  package var isList: Bool { if case .list = body { true } else { false } }

  /// Disables the actions, for a screen below another one: they are seen, but not offered.
  package mutating func moveToBackground() {
    for index in actions.indices { actions[index].isEnabled = false }
  }
}

extension Screen {
  /// - Parameter id: Nil where there is only one screen of this name.
  package init(
    id: String? = nil, name: String, title: String, subject: String? = nil,
    bar: ScreenBar = .hidden, body: ScreenBody, message: ScreenMessage? = nil,
    actions: [ScreenAction] = []
  ) {
    self.init(
      id: id ?? name, name: name, title: title, subject: subject, bar: bar, body: body,
      message: message, actions: actions)
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
  /// Another one each time that something is said: the same text said again is new.
  package var id: Int
  package var level: Level
  package var text: String

  /// - Parameter id: What tells this saying from the one before it on the same screen;
  ///   `MessageNumbering` makes it one of its own among all.
  package init(_ level: Level, _ text: String, id: Int = 0) {
    self.id = id
    self.level = level
    self.text = text
  }
}

package indirect enum ScreenBody: Sendable, Equatable {
  case form(ScreenForm)
  case list(ScreenList)
  case progress(ScreenProgress)
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
