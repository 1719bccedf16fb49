import JSONRPC

/// The client's capabilities, from `initialize`. A capability that the client does not declare
/// counts as unsupported, unless clients with its name are known to have it (`ClientQuirks`).
struct ClientCapabilities: Sendable {
  var processID: Int?
  var program = ClientQuirks.treatsReturnAsCharacter
  /// The encoding that defines the unit of positions in messages.
  var encoding = PositionEncoding.utf16
  /// The encoding in the response to `initialize`: one that the client has offered, or UTF-16. It
  /// differs from `encoding` for clients that offer no encoding and do not count in UTF-16 units.
  var declaredEncoding = PositionEncoding.utf16
  var lineEnds: LineEnds { program.lineEnds }
  /// Whether the client applies edits that the server requests.
  var appliesEdits = false
  /// Whether the client applies edits that name the version of the document.
  var hasVersionedEdits = false
  /// The rule that determines when the client gets edits that its user has not requested.
  var unrequestedEdits = UnrequestedEdits.never
  /// Whether the server offers `textDocument/willSaveWaitUntil`, with which the client adds the
  /// marks of new lines to a buffer before it saves the buffer. `true` only for clients that report
  /// the latest changes before each request.
  var getsMarksBeforeSaves = false
  var hasActionLiterals = false
  var hasSymbolTrees = false
  var showsDocuments = false
  var makesProgress = false
  var hasDiagnosticVersions = false

  /// Reads the params of `initialize`.
  ///
  /// - Throws: `RPCError` if a member has the wrong type.
  init(_ params: Params) throws(RPCError) {
    processID = try params.optionalInteger("processId")
    program = ClientQuirks(name: params.value(at: "clientInfo", "name")?.stringValue)
    encoding = program.encoding
    getsMarksBeforeSaves =
      program.sendsChangesFirst || params.flag("initializationOptions", "sendsChangesFirst")
    guard let capabilities = try params.optionalObject("capabilities") else { return }
    let offered = capabilities.strings("general", "positionEncodings")
    declaredEncoding = PositionEncoding(offered: offered)
    if !offered.isEmpty { encoding = declaredEncoding }
    appliesEdits = capabilities.flag("workspace", "applyEdit")
    if appliesEdits {
      unrequestedEdits =
        params.flag("initializationOptions", "checksVersions") ? .always : program.unrequestedEdits
    }
    // Neovim applies versioned edits, but does not declare this capability.
    hasVersionedEdits =
      unrequestedEdits != .never
      || capabilities.flag("workspace", "workspaceEdit", "documentChanges")
    hasActionLiterals =
      capabilities.value(at: "textDocument", "codeAction", "codeActionLiteralSupport") != nil
    hasSymbolTrees = capabilities.flag(
      "textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport")
    showsDocuments = capabilities.flag("window", "showDocument", "support")
    makesProgress = capabilities.flag("window", "workDoneProgress")
    hasDiagnosticVersions = capabilities.flag(
      "textDocument", "publishDiagnostics", "versionSupport")
  }

  /// Creates the default capabilities, which apply before `initialize`.
  init() {}

  /// Returns a `WorkspaceEdit` for one document, with its version if the client supports that.
  func workspaceEdit(_ uri: String, version: Int64?, _ edits: JSON) -> JSON {
    guard hasVersionedEdits else { return ["changes": .object([uri: edits])] }
    return [
      "documentChanges": [
        [
          "textDocument": [
            "uri": .string(uri), "version": version.map { .integer($0) } ?? .null,
          ],
          "edits": edits,
        ]
      ]
    ]
  }
}

extension Params {
  /// Returns the value at a path of members; `nil` if it is absent or null, or if a value on the
  /// path is not an object.
  fileprivate func value(at path: String...) -> JSON? { value(at: path[...]) }

  private func value(at path: ArraySlice<String>) -> JSON? {
    guard let first = path.first, var json = value(first) else { return nil }
    for name in path.dropFirst() {
      guard let member = json[name] else { return nil }
      json = member
    }
    return json.isNull ? nil : json
  }

  fileprivate func flag(_ path: String...) -> Bool { value(at: path[...])?.boolValue ?? false }

  fileprivate func strings(_ path: String...) -> [String] {
    value(at: path[...])?.arrayValue?.compactMap(\.stringValue) ?? []
  }
}
