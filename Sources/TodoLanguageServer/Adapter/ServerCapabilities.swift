import JSONRPC
import TodoModel

/// The server's capabilities, in the response to `initialize`.
enum ServerCapabilities {
  static func result(_ client: ClientCapabilities, version: String) -> JSON {
    [
      "capabilities": [
        "positionEncoding": .string(client.declaredEncoding.rawValue),
        "textDocumentSync": [
          "openClose": true, "change": 2, "willSaveWaitUntil": .bool(client.getsMarksBeforeSaves),
          "save": ["includeText": false],
        ],
        "hoverProvider": true,
        "completionProvider": [
          "triggerCharacters": .array(Completion.triggerCharacters.map { .string($0) })
        ],
        "codeActionProvider": ["codeActionKinds": ["quickfix", "refactor.rewrite", "source"]],
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "documentLinkProvider": ["resolveProvider": false],
        "foldingRangeProvider": true,
        "semanticTokensProvider": [
          "legend": ["tokenTypes": ["comment"], "tokenModifiers": []], "full": true,
          "range": false,
        ],
        "executeCommandProvider": [
          "commands": .array(LanguageCommand.Name.allCases.map { .string($0.rawValue) }),
          "workDoneProgress": true,
        ],
      ],
      "serverInfo": ["name": .string(Product.name), "version": .string(version)],
    ]
  }
}
