/// What differs from one protocol on JSON-RPC to another.
public struct ConnectionRules: Sendable, Equatable {
  /// The rules of LSP: `$/cancelRequest` with `{id}`, and tokens in `workDoneToken` and
  /// `partialResultToken`.
  public static let standard = ConnectionRules()

  /// The notification that cancels a request.
  public var cancelMethod: String
  /// The member of its params that has the id.
  public var cancelledIDMember: String
  /// The members of params that have a progress token, each as a path of names. One over
  /// `MessageLimits.idBytesMax` is refused as an id of that length is.
  public var tokenPaths: [[String]]
  /// The methods of which the host is told at receipt, however much waits before them.
  public var controlMethods: [String]

  /// Whether a call that is cancelled before it has begun is answered with
  /// `RPCError.requestCancelled()`; else it is not answered at all.
  public var answersCancelled: Bool

  /// Rules that differ from the standard ones.
  public init(
    cancelMethod: String = "$/cancelRequest", cancelledIDMember: String = "id",
    tokenPaths: [[String]] = [["workDoneToken"], ["partialResultToken"]],
    controlMethods: [String] = [], answersCancelled: Bool = true
  ) {
    self.answersCancelled = answersCancelled
    self.cancelMethod = cancelMethod
    self.cancelledIDMember = cancelledIDMember
    self.tokenPaths = tokenPaths
    self.controlMethods = controlMethods
  }
}
