/// The error object of a response.
///
/// The message is for the user. It may contain keys and types, and at most a hundred characters of
/// any input, but never values of `params`, which may be secrets.
public struct RPCError: Error, Sendable, Equatable {
  /// The error code: one of `ErrorCode`, or an application's own code outside -32899...-32000.
  public var code: Int

  /// The message for the user.
  public var message: String

  /// Details for programs; `nil` if there are none.
  public var data: JSON?

  /// Creates an error.
  public init(code: Int, message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }
}

extension RPCError {
  /// Returns the error for bytes that are not JSON.
  public static func parseError(_ message: String, data: JSON? = nil) -> RPCError {
    RPCError(code: ErrorCode.parseError, message: message, data: data)
  }

  /// Returns the error for JSON that is not a valid request.
  public static func invalidRequest(_ message: String, data: JSON? = nil) -> RPCError {
    RPCError(code: ErrorCode.invalidRequest, message: message, data: data)
  }

  /// Returns the error for an unknown method. The message contains at most a hundred characters of
  /// its name.
  public static func methodNotFound(_ method: String) -> RPCError {
    RPCError(
      code: ErrorCode.methodNotFound, message: "method not found: " + excerpt(of: method))
  }

  /// Returns the error for params that do not match the method.
  public static func invalidParams(_ message: String, data: JSON? = nil) -> RPCError {
    RPCError(code: ErrorCode.invalidParams, message: message, data: data)
  }

  /// Returns an internal error of the server.
  public static func internalError(
    _ message: String = "internal error", data: JSON? = nil
  ) -> RPCError {
    RPCError(code: ErrorCode.internalError, message: message, data: data)
  }

  /// Returns the error for a request that arrived before `initialize`.
  public static func serverNotInitialized(
    _ message: String = "the server is not initialized: send initialize first"
  ) -> RPCError {
    RPCError(code: ErrorCode.serverNotInitialized, message: message)
  }

  /// Returns the error for a request that the client has cancelled.
  public static func requestCancelled(_ message: String = "the request was cancelled") -> RPCError {
    RPCError(code: ErrorCode.requestCancelled, message: message)
  }

  /// Returns the error for a request that refers to content that has changed or no longer exists.
  public static func contentModified(_ message: String, data: JSON? = nil) -> RPCError {
    RPCError(code: ErrorCode.contentModified, message: message, data: data)
  }

  /// Returns the error for a valid request that has failed.
  public static func requestFailed(_ message: String, data: JSON? = nil) -> RPCError {
    RPCError(code: ErrorCode.requestFailed, message: message, data: data)
  }

  /// Returns the first hundred Unicode scalars of external text, for use in a message.
  ///
  /// It counts scalars and not characters, because a single character can have any length.
  public static func excerpt(of text: String) -> String {
    // A scalar has at least one byte, so only a long text needs to be counted.
    guard text.utf8.count > 100 else { return text }
    let scalars = text.unicodeScalars
    guard
      let end = scalars.index(scalars.startIndex, offsetBy: 100, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "…"
  }
}
