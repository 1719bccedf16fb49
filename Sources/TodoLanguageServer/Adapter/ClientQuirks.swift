/// Client behaviour that capabilities do not declare, by the client's name in `initialize`.
enum ClientQuirks: Sendable {
  /// lsp-mode, which sends the name `emacs`. Eglot, the other client for Emacs, sends no name (1.9)
  /// or `Eglot` (later versions).
  case lspMode
  /// vim-lsp, which applies an edit to the current buffer without checking its version.
  case vimLSP
  /// A client that treats CR as a character of the line, or a client without a name.
  case keepsReturns
  /// Any other client, which is assumed to count lines and characters as LSP specifies.
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

  /// The names of clients that treat CR as a character of the line.
  private static let editors = ["ale", "eglot", "helix", "kak-lsp", "kakoune"]

  var lineEnds: LineEnds {
    switch self {
    case .lspMode, .vimLSP, .keepsReturns: .feeds
    case .asSpecified: .feedsAndReturns
    }
  }

  /// The unit of positions if the client offers no choice.
  var encoding: PositionEncoding {
    switch self {
    case .lspMode: .utf32
    case .vimLSP, .keepsReturns, .asSpecified: .utf16
    }
  }

  /// Whether the client loses messages that arrive together with the response to a command, because
  /// it stops reading after the response.
  var losesWhatFollowsAnswers: Bool {
    switch self {
    case .lspMode: true
    case .vimLSP, .keepsReturns, .asSpecified: false
    }
  }

  /// Whether edits must be sent only after a pause in typing, because the client applies an edit
  /// even if the buffer has changed meanwhile.
  var debounces: Bool {
    switch self {
    case .vimLSP: true
    case .lspMode, .keepsReturns, .asSpecified: false
    }
  }
}
