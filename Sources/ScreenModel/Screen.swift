/// The description of a screen as plain values: everything that a front-end draws.
///
/// A screen has one of three bodies (form, list, progress), so a new screen needs no changes in
/// front-ends.
package struct Screen: Sendable, Equatable {
  /// The identity of the screen: it stays the same while the screen is about the same thing, such
  /// as one todo.
  package var id: String
  /// The name of the screen, which a front-end sends back with the user's actions.
  package var name: String
  package var title: String
  /// The name of the thing that the screen is about, such as the title of a todo.
  package var subject: String?
  package var bar: ScreenBar
  package var body: ScreenBody
  package var message: ScreenMessage?
  package var actions: [ScreenAction]

  package var isList: Bool { if case .list = body { true } else { false } }

  /// Disables the actions, because another screen covers this one. They stay visible.
  package mutating func moveToBackground() {
    for index in actions.indices { actions[index].isEnabled = false }
  }
}

extension Screen {
  /// - Parameter id: The identity; `nil` uses `name`, for a screen of which there is only one.
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

/// The bar above a screen; `left` and `right` are names of actions.
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

/// A message for the user.
package struct ScreenMessage: Sendable, Equatable {
  package enum Level: String, Sendable, CaseIterable { case info, warning, error }
  /// The number of the message: a message with the same text and another number is new.
  package var id: Int
  package var level: Level
  package var text: String

  /// - Parameter id: A number that distinguishes the message from the one before it on the same
  ///   screen; `MessageNumbering` makes it unique in the session.
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
