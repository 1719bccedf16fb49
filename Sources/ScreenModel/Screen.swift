/// The description of a screen: plain values for everything that a front-end draws.
///
/// The body is a form, a list or a progress report. Therefore, front-ends need no changes for new
/// screens.
package struct Screen: Sendable, Equatable {
  /// The identity of the screen. It stays the same while the screen shows the same object, such as
  /// one todo.
  package var id: String
  /// The name of the screen. Front-ends send it with the user's actions.
  package var name: String
  package var title: String
  /// The name of the object that the screen shows, such as the title of a todo; `nil` if there is
  /// none.
  package var subject: String?
  package var bar: ScreenBar
  package var body: ScreenBody
  package var message: ScreenMessage?
  package var actions: [ScreenAction]

  package var isList: Bool { if case .list = body { true } else { false } }

  /// Disables the actions, because another screen covers this one. The actions remain in the
  /// description.
  package mutating func moveToBackground() {
    for index in actions.indices { actions[index].isEnabled = false }
  }
}

extension Screen {
  /// Creates the description of a screen.
  ///
  /// - Parameters:
  ///   - id: The identity of the screen; `nil` for the same text as `name`.
  ///   - subject: The name of the object; a blank name counts as `nil`.
  package init(
    id: String? = nil, name: String, title: String, subject: String? = nil,
    bar: ScreenBar = .hidden, body: ScreenBody, message: ScreenMessage? = nil,
    actions: [ScreenAction] = []
  ) {
    self.init(
      id: id ?? name, name: name, title: title,
      subject: subject.flatMap { $0.isBlank ? nil : $0 }, bar: bar, body: body, message: message,
      actions: actions)
  }
}

extension String {
  fileprivate var isBlank: Bool { unicodeScalars.allSatisfy { $0.properties.isWhitespace } }
}

/// The bar above a screen. `left` and `right` are the names of the actions in it.
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
  /// The number of the message. If a message with the same text has another number, it is a new
  /// message.
  package var id: Int
  package var level: Level
  package var text: String

  /// Creates a message.
  ///
  /// - Parameter id: A number that differs from that of the previous message on the same screen.
  ///   `MessageNumbering` makes it unique in the session.
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
