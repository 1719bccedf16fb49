import JSONRPC
import ScreenModel
import TodoWire
import TodoWorkflows

/// A rendering that needs nothing before it.
struct WholeRendering: WrittenObject {
  let screens: [Screen]
  let revision: Int64
  /// Whether the screen in front and the lists are enough; of all others only what they are is
  /// written.
  var isFrontOnly = false
  /// Screens below the front that are written already.
  var writtenLists: [WrittenScreen] = []

  static let definition: SchemaDefinition? = SchemaDefinition(
    "wholeRendering", "The screens after a change.")
  static let sample = WholeRendering(screens: [], revision: 0)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("revision", revision)
    members.required(
      "rendering",
      ScreenStack(screens: screens, isFrontOnly: isFrontOnly, writtenLists: writtenLists))
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

extension WholeRendering: MethodResult {
  init?(_ outcome: TodoOutcome, at context: ResponseContext) {
    guard case .rendering = outcome else { return nil }
    self.init(
      screens: context.screens, revision: context.revision, isFrontOnly: context.isFrontOnly)
  }

  /// What a screen weighs is not known before it is written. A few of them may go together.
  static func estimatedByteCount(of outcome: TodoOutcome) -> Int { 64 << 10 }
}

/// The screens, the bottom one first.
struct ScreenStack: WrittenObject {
  let screens: [Screen]
  let isFrontOnly: Bool
  let writtenLists: [WrittenScreen]

  static let definition: SchemaDefinition? = SchemaDefinition(
    "rendering", "The stack of screens; the last one is in front.")
  static let sample = ScreenStack(screens: [], isFrontOnly: false, writtenLists: [])

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    let frontIndex = screens.count - 1
    members.required(
      "items",
      WrittenElements(screens.enumerated()) { index, screen in
        guard isFrontOnly, index < frontIndex else { return StackedScreen(screen: .whole(screen)) }
        guard screen.isList else { return StackedScreen(screen: .identity(screen)) }
        let written = writtenLists.first { $0.screen.id == screen.id }
        return StackedScreen(screen: written.map { .written($0) } ?? .whole(screen))
      })
  }
}

/// A place in the stack.
struct StackedScreen: WrittenObject {
  enum Content {
    case whole(Screen)
    case identity(Screen)
    case written(WrittenScreen)
  }

  let screen: Content

  static let definition: SchemaDefinition? = SchemaDefinition(
    "stackedScreen", "A screen, or the identity of a covered one.")
  static let sample = StackedScreen(screen: .whole(.sample))

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
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
    case .written(let screen): writer.raw(screen.bytes)
    }
  }
}

/// A screen, and what it is on the wire.
struct WrittenScreen {
  let screen: Screen
  let bytes: [UInt8]

  init(_ screen: Screen) {
    self.screen = screen
    var writer = JSONWriter()
    screen.write(to: &writer)
    bytes = writer.finish()
  }
}
