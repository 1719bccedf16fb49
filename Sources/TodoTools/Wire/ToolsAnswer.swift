import JSONRPC
import TodoModel
import TodoWire

/// The result of a request, to be encoded.
package struct ToolsAnswer {
  enum Body {
    case members(JSONObject)
    /// The result of a tool call. `notices` are further messages for the user.
    case call(any ToolResult, isError: Bool, notices: [String])
    case resource(uri: String, any ToolResult)
  }

  var body: Body
  var revision: Revision
  /// The number of milliseconds for which a client may cache the result; `nil` if caching is not
  /// allowed.
  var lifetimeMilliseconds: Int?
  /// The version of the program.
  var version: String

  /// The time for which a client may cache a result that stays the same while the program runs.
  static let fixedLifetimeMilliseconds = 300_000

  private var resultType: String {
    if case .members(let members) = body, members["inputRequests"] != nil {
      "input_required"
    } else {
      "complete"
    }
  }

  func write(_ id: RequestID, to writer: inout JSONWriter) {
    writer.response(id: id) { writer in
      writer.object { writer in
        switch body {
        case .members(let members):
          for (key, value) in members.members where key != "_meta" {
            writer.key(key)
            writer.value(value)
          }
        case .call(let result, let isError, let notices):
          write(result, isError, notices, to: &writer)
        case .resource(let uri, let result): write(uri, result, to: &writer)
        }
        writeEnd(to: &writer)
      }
    }
  }

  private func write(
    _ result: any ToolResult, _ isError: Bool, _ notices: [String], to writer: inout JSONWriter
  ) {
    writer.key("content")
    writer.array { writer in
      for text in [revision.hasStructuredContent ? result.textWithStructuredContent : result.text]
        + notices
      {
        writer.object { writer in
          writer.key("type")
          writer.string("text")
          writer.key("text")
          writer.string(text)
        }
      }
    }
    if revision.hasStructuredContent {
      writer.key("structuredContent")
      result.write(to: &writer)
    }
    if isError {
      writer.key("isError")
      writer.bool(true)
    }
  }

  private func write(_ uri: String, _ result: any ToolResult, to writer: inout JSONWriter) {
    var text = JSONWriter()
    result.write(to: &text)
    let bytes = PrintableJSON.escaping(text.finish())
    writer.key("contents")
    writer.array { writer in
      writer.object { writer in
        writer.key("uri")
        writer.string(uri)
        writer.key("mimeType")
        writer.string(ResourceAddress.mimeType)
        writer.key("text")
        writer.string(String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  /// Writes the members that each result must have in the stateless revision.
  private func writeEnd(to writer: inout JSONWriter) {
    guard revision.isStateless else { return }
    writer.key("resultType")
    writer.string(resultType)
    if let lifetimeMilliseconds {
      writer.key("ttlMs")
      writer.integer(lifetimeMilliseconds)
      writer.key("cacheScope")
      writer.string("private")
    }
    var meta: JSONObject = [
      "io.modelcontextprotocol/serverInfo": Handshake.serverInfo(version, revision)
    ]
    if case .members(let members) = body, case .object(let own)? = members["_meta"] {
      for (key, value) in own.members { meta[key] = value }
    }
    writer.key("_meta")
    writer.value(.object(meta))
  }

  var estimatedByteCount: Int {
    switch body {
    case .members: 4_096
    case .call(let result, _, _): 1_024 + 2 * result.text.utf8.count
    case .resource(_, let result): 1_024 + 2 * result.text.utf8.count
    }
  }
}
