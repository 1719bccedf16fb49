/// Client behaviour that capabilities do not declare, by the client's name in `initialize`.
enum ClientQuirks: Sendable {
  /// lsp-mode, which sends the name `emacs`. Eglot, the other client for Emacs, sends no name (1.9)
  /// or `Eglot` (later versions).
  case lspMode
  /// Neovim, and Eglot since version 1.10. Both treat CR as a character of the line, and apply an
  /// edit only to the document version that the edit is for.
  case neovim, eglot
  /// Visual Studio Code, which applies an edit only to the document version that the edit is for.
  case vsCode
  /// Another client that treats CR as a character of the line, or a client without a name.
  case treatsReturnAsCharacter
  /// Any other client, which is assumed to count lines and characters as LSP specifies.
  case asSpecified

  init(name: String?) {
    let name = name?.lowercased() ?? ""
    if name == "emacs" {
      self = .lspMode
    } else if name == "neovim" {
      self = .neovim
    } else if name == "eglot" {
      self = .eglot
    } else if name.hasPrefix("visual studio code") {
      self = .vsCode
    } else if name.isEmpty || name.contains("vim") || Self.editors.contains(name) {
      self = .treatsReturnAsCharacter
    } else {
      self = .asSpecified
    }
  }

  /// The names of clients that treat CR as a character of the line.
  private static let editors = ["ale", "helix", "kak-lsp", "kakoune"]

  var lineEnds: LineEnds {
    switch self {
    case .lspMode, .neovim, .eglot, .treatsReturnAsCharacter: .feeds
    case .vsCode, .asSpecified: .feedsAndReturns
    }
  }

  /// The unit of positions if the client offers no choice.
  var encoding: PositionEncoding {
    switch self {
    case .lspMode: .utf32
    case .neovim, .eglot, .vsCode, .treatsReturnAsCharacter, .asSpecified: .utf16
    }
  }

  /// Whether the client loses messages that arrive together with the response to a command, because
  /// it stops reading after the response.
  var stopsReadingAfterResponse: Bool {
    switch self {
    case .lspMode: true
    case .neovim, .eglot, .vsCode, .treatsReturnAsCharacter, .asSpecified: false
    }
  }

  /// Whether the client reports the latest changes before each request. Eglot before 1.17 does not:
  /// it would apply the edits of a response to a newer text than the text that the edits are for.
  var sendsChangesFirst: Bool {
    switch self {
    case .lspMode, .neovim, .vsCode: true
    case .eglot, .treatsReturnAsCharacter, .asSpecified: false
    }
  }

  /// The rule that determines when the client gets edits that its user has not requested. It is
  /// `.never` unless the client is known to apply an edit only to the version that the edit is for.
  var unrequestedEdits: UnrequestedEdits {
    switch self {
    case .eglot, .vsCode: .always
    // To these clients, version 0 means any version.
    case .lspMode, .neovim: .afterFirstChange
    case .treatsReturnAsCharacter, .asSpecified: .never
    }
  }
}
