/// What a client is known to do that it does not say in its capabilities, by the name that it gives
/// itself in `initialize`.
enum ClientProgram: Sendable {
  /// lsp-mode, which calls itself `emacs`; eglot 1.9 has no name, and is `Eglot` since.
  case lspMode
  /// One that says no name, or whose lines a carriage return alone does not end.
  case unknown
  /// One with another name, which is taken to count as the protocol says.
  case other

  init(name: String?) {
    let name = name?.lowercased() ?? ""
    if name == "emacs" {
      self = .lspMode
    } else if name.isEmpty || name.contains("vim") || Self.editors.contains(name) {
      self = .unknown
    } else {
      self = .other
    }
  }

  /// The names of editors that keep a carriage return in a line as a character.
  private static let editors = ["ale", "eglot", "helix", "kak-lsp", "kakoune"]

  var lineEnds: LineEnds {
    switch self {
    case .lspMode, .unknown: .feeds
    case .other: .feedsAndReturns
    }
  }

  /// What it counts in where it offers no choice.
  var encoding: PositionEncoding {
    switch self {
    case .lspMode: .utf32
    case .unknown, .other: .utf16
    }
  }
}
