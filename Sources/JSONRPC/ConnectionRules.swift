/// The differences between protocols based on JSON-RPC.
public struct ConnectionRules: Sendable, Equatable {
  /// The rules of LSP: `$/cancelRequest` with `{id}`, and tokens in `workDoneToken` and
  /// `partialResultToken`.
  public static let standard = ConnectionRules()

  /// The notification that cancels a request.
  public var cancelMethod: String
  /// The member of the cancel method's params that contains the id.
  public var cancelledIDMember: String
  /// The paths of the params' members that contain a progress token. A request with a token of more
  /// than `MessageLimits.idBytesMax` bytes is refused, as with an id of that size.
  public var tokenPaths: [[String]]
  /// The methods that are reported to the host on receipt, ahead of all queued messages.
  public var controlMethods: [String]

  /// Whether a call that is cancelled before it has started is answered with
  /// `RPCError.requestCancelled()`. If not, it is not answered at all.
  public var answersCancelled: Bool

  /// Creates rules; the defaults are those of LSP.
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
