import JSONRPC

/// What a client can do, as it says in `initialize`. What it does not say, it cannot.
struct ClientCapabilities: Sendable {
  var processID: Int?
  var program = ClientQuirks.keepsReturns
  /// What positions are counted in.
  var encoding = PositionEncoding.utf16
  /// What the client is told that they are counted in: nothing that it has not offered.
  var namedEncoding = PositionEncoding.utf16
  var lineEnds: LineEnds { program.lineEnds }
  /// Whether it does not say that it applies edits, and does after a command of ours, as Kate 22.12:
  /// `initializationOptions` say that.
  var appliesEditsOfCommands = false
  /// Whether edits of ours can be applied at all, and whether they can name a version.
  var appliesEdits = false
  var hasVersionedEdits = false
  var hasActionLiterals = false
  var hasSymbolTrees = false
  var showsDocuments = false
  var makesProgress = false
  var hasDiagnosticVersions = false

  /// Reads the params of `initialize`. Throws where they are not what they have to be.
  init(_ params: Params) throws(RPCError) {
    processID = try params.optionalInteger("processId")
    program = ClientQuirks(name: params.value(at: "clientInfo", "name")?.stringValue)
    encoding = program.encoding
    guard let capabilities = try params.optionalObject("capabilities") else { return }
    let offered = capabilities.strings("general", "positionEncodings")
    namedEncoding = PositionEncoding(offered: offered)
    if !offered.isEmpty { encoding = namedEncoding }
    let saysItAppliesEdits = capabilities.flag("workspace", "applyEdit")
    appliesEditsOfCommands =
      !saysItAppliesEdits && params.flag("initializationOptions", "applyEdit")
    appliesEdits = saysItAppliesEdits || appliesEditsOfCommands
    hasVersionedEdits = capabilities.flag("workspace", "workspaceEdit", "documentChanges")
    hasActionLiterals =
      capabilities.value(at: "textDocument", "codeAction", "codeActionLiteralSupport") != nil
    hasSymbolTrees = capabilities.flag(
      "textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport")
    showsDocuments = capabilities.flag("window", "showDocument", "support")
    makesProgress = capabilities.flag("window", "workDoneProgress")
    hasDiagnosticVersions = capabilities.flag(
      "textDocument", "publishDiagnostics", "versionSupport")
  }

  /// Nothing is known yet.
  init() {}

  /// Edits of one document, for one version of it where the client can be told of one.
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
  /// What stands at the end of a path of members. What is of another kind is not there.
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
