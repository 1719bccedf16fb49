/// What a client is known to do that it does not say in its capabilities, by the name that it gives
/// itself in `initialize`.
enum ClientQuirks: Sendable {
  /// lsp-mode, which calls itself `emacs`; eglot 1.9 has no name, and is `Eglot` since.
  case lspMode
  /// vim-lsp, which applies an edit to whatever text there is by then.
  case vimLSP
  /// One that keeps a carriage return in a line as a character; one without a name is taken for that.
  case keepsReturns
  /// Any other, which is taken to count as the protocol says.
  case asSpecified

  init(name: String?) {
    let name = name?.lowercased() ?? ""
    if name == "emacs" {
      self = .lspMode
    } else if name == "vim-lsp" {
      self = .vimLSP
    } else if name.isEmpty || name.contains("vim") || Self.editors.contains(name) {
      self = .keepsReturns
    } else {
      self = .asSpecified
    }
  }

  /// The names of editors that keep a carriage return in a line as a character.
  private static let editors = ["ale", "eglot", "helix", "kak-lsp", "kakoune"]

  var lineEnds: LineEnds {
    switch self {
    case .lspMode, .vimLSP, .keepsReturns: .feeds
    case .asSpecified: .feedsAndReturns
    }
  }

  /// What it counts in where it offers no choice.
  var encoding: PositionEncoding {
    switch self {
    case .lspMode: .utf32
    case .vimLSP, .keepsReturns, .asSpecified: .utf16
    }
  }

  /// Whether what comes together with the answer to a command is lost: the answer ends the reading.
  var losesWhatFollowsAnswers: Bool {
    switch self {
    case .lspMode: true
    case .vimLSP, .keepsReturns, .asSpecified: false
    }
  }

  /// Whether an edit is to be sent only while nobody types, for it would change another text than
  /// the one that it is for.
  var waitsForQuiet: Bool {
    switch self {
    case .vimLSP: true
    case .lspMode, .keepsReturns, .asSpecified: false
    }
  }
}
