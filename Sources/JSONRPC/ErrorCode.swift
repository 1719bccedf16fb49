/// The error codes of JSON-RPC 2.0 and of the Language Server Protocol.
public enum ErrorCode {
  /// The received bytes are not JSON.
  public static let parseError = -32700
  /// The JSON is not a valid request.
  public static let invalidRequest = -32600

  /// The method does not exist.
  public static let methodNotFound = -32601

  /// The params do not match the method.
  public static let invalidParams = -32602
  /// An internal error of the server.
  public static let internalError = -32603
  /// A request arrived before `initialize`.
  public static let serverNotInitialized = -32002

  /// The client cancelled the request.
  public static let requestCancelled = -32800
  /// The content that the request refers to has changed or no longer exists.
  public static let contentModified = -32801
  /// The request was valid but failed.
  public static let requestFailed = -32803
}
