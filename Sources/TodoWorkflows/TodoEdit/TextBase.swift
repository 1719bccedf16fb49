import TodoModel

/// Which stored version of a todo a text was typed on, as a form carries it and gets it back.
///
/// It holds for as long as the todo does: in any process, and after any restart. To whoever carries
/// it, it is an opaque text.
struct TextBase: Equatable {
  var id: TodoID
  var version: Int64

  var text: String { "\(id.text)/\(version)" }
}

extension TextBase {
  /// Nil for a text that no form carries.
  init?(_ text: String) {
    guard let slash = text.lastIndex(of: "/"),
      let version = Int64(text[text.index(after: slash)...])
    else { return nil }
    self.init(id: TodoID(String(text[..<slash])), version: version)
  }

  /// The version of a todo that a base names: one that the todo never has where the base says
  /// nothing, so that the text is not taken for newer than it is.
  static func version(_ base: String, of id: TodoID) -> Int64 {
    guard let base = TextBase(base), base.id == id else { return 0 }
    return base.version
  }

  /// Whether a text that was typed on a base may belong to a todo.
  static func isAbout(_ id: TodoID, _ base: String) -> Bool {
    TextBase(base).map { $0.id == id } ?? true
  }
}
