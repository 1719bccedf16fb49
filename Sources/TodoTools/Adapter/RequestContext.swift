import JSONRPC

/// The revision, abilities and progress token of a request. The revision and the abilities come
/// from the request itself or from its session.
struct RequestContext: Sendable {
  var revision: Revision
  /// Whether the client can show questions to its user.
  var asksUser: Bool
  var progressToken: RequestID?

  static let versionKey = "io.modelcontextprotocol/protocolVersion"
  static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
}

extension RequestContext {
  /// Reads `_meta`. If `_meta` contains neither a version nor capabilities, the version and the
  /// capabilities of the session apply.
  ///
  /// - Throws: The errors of the specification: -32602 for a missing member, -32022 for an unknown
  ///   version.
  init(_ params: Params, session: NegotiatedSession?) throws(RPCError) {
    let meta = try params.optionalObject("_meta")
    let token = try meta?.optionalRequestID("progressToken")
    if let meta, meta.value(Self.versionKey) != nil || meta.value(Self.capabilitiesKey) != nil {
      try self.init(stateless: meta, token)
    } else if let session {
      self.init(
        revision: session.revision, asksUser: session.asksUser, progressToken: token)
    } else {
      throw .invalidParams(
        "params._meta: missing \"\(Self.versionKey)\" and \"\(Self.capabilitiesKey)\"; "
          + "send them with each request, or send initialize first")
    }
  }

  private init(stateless meta: Params, _ token: RequestID?) throws(RPCError) {
    let version = try meta.string(Self.versionKey)
    let capabilities = try meta.object(Self.capabilitiesKey)
    guard Revision(rawValue: version)?.isStateless == true else {
      throw Self.unsupported(version)
    }
    self.init(
      revision: .july2026, asksUser: try Self.asksUser(capabilities), progressToken: token)
  }

  /// Whether the client can show forms to its user. An empty `elicitation` object declares forms.
  static func asksUser(_ capabilities: Params?) throws(RPCError) -> Bool {
    guard let kinds = try capabilities?.optionalObject("elicitation") else { return false }
    return kinds.isEmpty || kinds.value("form") != nil
  }

  private static func unsupported(_ version: String) -> RPCError {
    let asked = RPCError.excerpt(of: version)
    return RPCError(
      code: -32022,
      message: "unsupported protocol version \(asked): without initialize it is "
        + "\(Revision.july2026.rawValue)",
      data: [
        "supported": .array(Revision.newestFirst.map { .string($0) }), "requested": .string(asked),
      ])
  }
}

/// The revision and abilities that were negotiated by `initialize`.
struct NegotiatedSession: Sendable {
  var revision: Revision
  var asksUser: Bool

  /// Reads the params of `initialize`. If the client requests an unknown version, or a version
  /// without sessions, the latest version with sessions is used.
  init(_ params: Params) throws(RPCError) {
    let asked = Revision(rawValue: try params.string("protocolVersion"))
    revision = asked.flatMap { $0.isStateless ? nil : $0 } ?? .latestWithSession
    let canAsk = try RequestContext.asksUser(try params.optionalObject("capabilities"))
    asksUser = canAsk && revision.hasStructuredContent
  }
}
