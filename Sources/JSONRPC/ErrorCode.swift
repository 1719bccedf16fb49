/// The error codes of JSON-RPC 2.0 and of the Language Server Protocol.
public enum ErrorCode {
  /// The bytes are no JSON.
  public static let parseError = -32700
  /// JSON, but no request.
  public static let invalidRequest = -32600

  /// No method has this name.
  public static let methodNotFound = -32601

  /// The params are not those of the method.
  public static let invalidParams = -32602
  /// A bug of the server.
  public static let internalError = -32603
  /// A request before `initialize`.
  public static let serverNotInitialized = -32002

  /// The client cancelled the request.
  public static let requestCancelled = -32800
  /// What the request was about is no longer there.
  public static let contentModified = -32801
  /// The request was fine and could not be carried out.
  public static let requestFailed = -32803
}
