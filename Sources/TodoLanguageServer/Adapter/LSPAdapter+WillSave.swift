import JSONRPC
import TodoModel

extension LSPAdapter {
  /// Returns the edits that the client applies before it saves a document. The client waits for
  /// them, so they are determined without a request to the store.
  mutating func editsBeforeSave(_ params: Params) throws(RPCError) -> JSON {
    let uri = try params.object("textDocument").string("uri")
    let reason = try params.integer("reason")
    guard capabilities.getsMarksBeforeSaves, let number = documents.number(of: uri),
      let text = documents[number]?.document.text
    else { return [] }
    let edits = documents[number]?.document.editsBeforeSave(
      isAutomatic: Self.automaticReasons.contains(reason), from: &marks)
    return .array(
      (edits ?? []).map { edit in
        TextRange(edit.range, in: text, capabilities.encoding)
          .edit(String(decoding: edit.text, as: UTF8.self))
      })
  }

  /// The values of `TextDocumentSaveReason` for automatic saves: `AfterDelay` and `FocusOut`.
  private static let automaticReasons = 2...3
}
