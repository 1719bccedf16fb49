import JSONRPC
import ScreenModel
import TodoWire
import TodoWorkflows

/// The params of a rendering that is sent as a whole.
struct WholeRendering: WrittenObject {
  let screens: [Screen]
  let revision: Int64
  /// Whether the rendering is reduced: it contains the front screen and the lists behind it, but
  /// only the ID, name and title of other screens.
  var isFrontOnly = false
  /// The cached encodings of the lists below the front screen.
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

  /// Returns a lower bound of the encoded size.
  ///
  /// - Parameter readsItems: Whether the bound includes the texts of list items. If so, the bound
  ///   is close to the size, but computing it takes time for each item.
  static func bytesMin(of screens: [Screen], readsItems: Bool = false) -> Int {
    screens.reduce(0) { count, screen in
      // The size of braces, commas and keys, which does not depend on the texts.
      let fixed = 100 + 50 * screen.actions.count
      switch screen.body {
      case .list(let list):
        var bytes = 20 * list.items.count
        if readsItems { list.items.visit { bytes += $0.textBytesMin } }
        return count + fixed + bytes
      case .form(let form):
        return form.fields.reduce(count + fixed) {
          $0 + 30 + ($1.isSecret ? 0 : $1.value?.utf8.count ?? 0)
        }
      case .progress: return count + fixed
      }
    }
  }
}

extension ListItem {
  /// A lower bound of the encoded size of the texts, and of the members that are often absent.
  fileprivate var textBytesMin: Int {
    var count = id.utf8.count + title.utf8.count
    if let detail { count += 12 + detail.utf8.count }
    if let section { count += 13 + section.utf8.count }
    if isChecked != nil { count += 15 }
    return count
  }
}

extension WholeRendering: MethodResult {
  init?(_ outcome: TodoOutcome, at context: ResponseContext) {
    guard case .rendering = outcome else { return nil }
    self.init(
      screens: context.screens, revision: context.revision, isFrontOnly: context.isFrontOnly)
  }

  /// Returns a constant, because the size of the screens is known only after encoding. The constant
  /// is small enough to allow a few renderings in one batch.
  static func estimatedByteCount(of outcome: TodoOutcome) -> Int { 64 << 10 }
}

/// The stack of screens. The last one is in front.
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

/// A screen in the stack, as it is sent.
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

/// A screen with its cached encoding.
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
