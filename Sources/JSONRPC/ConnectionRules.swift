/// The rules that differ between protocols based on JSON-RPC, such as how a request is cancelled.
public struct ConnectionRules: Sendable, Equatable {
  /// The rules of LSP: `$/cancelRequest` with `{id}`, and progress tokens in `workDoneToken` and
  /// `partialResultToken`.
  public static let standard = ConnectionRules()

  /// The method of the notification that cancels a request.
  public var cancelMethod: String
  /// The member of the cancel method's params that contains the id.
  public var cancelledIDMember: String
  /// The paths of the progress tokens in the params. A request is refused if its id or a token at
  /// one of these paths has more than `MessageLimits.idBytesMax` bytes.
  public var tokenPaths: [[String]]
  /// The methods that are reported to the host on receipt, as `Arrival.controlCallReceived`, ahead
  /// of all queued messages.
  public var controlMethods: [String]

  /// Whether a request that is cancelled before it has started is answered with
  /// `RPCError.requestCancelled()`. If `false`, such a request gets no response.
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
