import JSONRPC
import ScreenModel

/// A rendering that needs nothing before it.
struct WholeRendering: WrittenObject {
  let screens: [Screen]
  let revision: Int64
  /// Whether the screen in front and the lists are enough; of all others only what they are is
  /// written.
  var isFrontOnly = false

  static let schemaName: String? = "wholeRendering"
  static let sample = WholeRendering(screens: [], revision: 0)

  func writeMembers(to members: inout some MemberOutput) {
    members.required("revision", revision)
    members.required("rendering", ScreenStack(screens: screens, isFrontOnly: isFrontOnly))
  }

  /// The rendering has at least so many bytes.
  static func bytesMin(of screens: [Screen]) -> Int {
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
}

/// The screens, the bottom one first.
struct ScreenStack: WrittenObject {
  let screens: [Screen]
  let isFrontOnly: Bool

  static let schemaName: String? = "rendering"
  static let sample = ScreenStack(screens: [], isFrontOnly: false)

  func writeMembers(to members: inout some MemberOutput) {
    let frontIndex = screens.count - 1
    members.required(
      "items",
      WrittenElements(screens.enumerated()) { index, screen in
        let isWhole = !isFrontOnly || index == frontIndex || screen.isList
        return StackedScreen(screen: isWhole ? .whole(screen) : .identity(screen))
      })
  }
}

/// A place in the stack.
struct StackedScreen: WrittenObject {
  enum Content {
    case whole(Screen)
    case identity(Screen)
  }

  let screen: Content

  static let schemaName: String? = "stackedScreen"
  static let sample = StackedScreen(screen: .whole(.sample))

  func writeMembers(to members: inout some MemberOutput) {
    members.required("screen", screen)
  }
}

extension StackedScreen.Content: WrittenValue {
  static var schema: Schema {
    .anyOf([Screen.schema, ScreenIdentity.schema], isOpen: false)
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .whole(let screen): screen.write(to: &writer)
    case .identity(let screen): ScreenIdentity(screen: screen).write(to: &writer)
    }
  }
}
