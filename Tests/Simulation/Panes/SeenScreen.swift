import JSONRPC
import TodoModel

/// The front screen of a rendering, as a front-end sees it.
struct SeenScreen {
  private(set) var id = ""
  private(set) var name = ""
  /// The `base` of the form; `nil` if the screen has none.
  private(set) var base: String?
  /// The texts of the form, by field.
  private(set) var values: [String: String] = [:]
  /// The labels in the titles of the form's fields, such as `Mine (open, labels a b)`, by field.
  private(set) var labels: [String: Set<String>] = [:]
  /// The ids of the items in the list.
  private(set) var items: [String] = []
  private(set) var actions: [SeenAction] = []

  init() {}

  /// Reads the front screen of a rendering.
  ///
  /// - Parameter rendering: An object with a member `rendering`.
  init(rendering: JSON) {
    let screen = rendering["rendering"]?["items"]?.arrayValue?.last?["screen"] ?? .null
    let body = screen["body"]
    id = screen["id"]?.stringValue ?? ""
    name = screen["name"]?.stringValue ?? ""
    base = body?["base"]?.stringValue
    for field in body?["fields"]?.arrayValue ?? [] {
      guard let name = field["name"]?.stringValue else { continue }
      values[name] = field["value"]?.stringValue ?? ""
      let titleWords = (field["label"]?.stringValue ?? "").split { " (),".contains($0) }
      labels[name] = Set(titleWords.filter(PaneWords.isLabel).map(String.init))
    }
    items = (body?["items"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
    actions = (screen["actions"]?.arrayValue ?? []).map { SeenAction($0) }
  }

  /// All words of the form.
  var words: Set<String> {
    labels.values.reduce(into: PaneWords.words(values.values)) { $0.formUnion($1) }
  }

  /// Whether the screen is the form of a todo, which gets a pane.
  var hasPane: Bool { base != nil }
  var isComparison: Bool { name == "conflict" }
}

/// An action of a screen.
struct SeenAction {
  let name: String
  let role: String?
  /// The question to ask before the action; `nil` for none.
  let confirm: String?

  init(_ action: JSON) {
    name = action["name"]?.stringValue ?? ""
    role = action["role"]?.stringValue
    confirm = action["confirm"]?.stringValue
  }
}

/// The words in texts. In a run, each word is typed only once.
enum PaneWords {
  private static let markers: Set<String> = ["<<<", "===", ">>>", "mine", "theirs"]

  static func words(_ text: String) -> Set<String> {
    Set(text.split { $0 == "\n" || $0 == " " }.map(String.init)).subtracting(markers)
  }

  static func isLabel(_ word: Substring) -> Bool {
    word.first == "l" && word.dropFirst().allSatisfy(\.isNumber)
  }

  static func words(_ todo: Todo) -> Set<String> {
    words([todo.content.title, todo.content.note]).union(todo.content.labels.texts)
  }

  static func words(_ texts: some Sequence<String>) -> Set<String> {
    texts.reduce(into: []) { $0.formUnion(words($1)) }
  }

  /// Returns the text of a comparison without its conflict markers. The text of both sides remains.
  static func withoutMarkers(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let words = line.split(separator: " ").map(String.init)
      let other = words.filter { !markers.contains($0) }
      return other.isEmpty && !words.isEmpty ? nil : other.joined(separator: " ")
    }
    return lines.compactMap { $0 }.joined(separator: "\n")
  }
}
