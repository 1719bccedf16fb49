/// The error object of a response.
///
/// Messages are for a person. They may name keys and types; they never repeat the values of
/// `params`, which may hold secrets, and never more than a hundred characters of anything that came
/// from outside.
public struct RPCError: Error, Sendable, Equatable {
  /// One of `ErrorCode`, or a code of the application outside -32899...-32000.
  public var code: Int

  /// A sentence for a person.
  public var message: String

  /// What a program can read of it; nil when there is no more than the code.
  public var data: JSON?

  /// An error.
  public init(code: Int, message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }
}

extension RPCError {
  /// The bytes are not JSON.
  public static func parseError(_ message: String, data: JSON? = nil) -> RPCError {
    RPCError(code: ErrorCode.parseError, message: message, data: data)
  }

  /// JSON, but not a request.
  public static func invalidRequest(_ message: String, data: JSON? = nil) -> RPCError {
    RPCError(code: ErrorCode.invalidRequest, message: message, data: data)
  }

  /// No method has this name, of which at most a hundred characters are repeated.
  public static func methodNotFound(_ method: String) -> RPCError {
    RPCError(
      code: ErrorCode.methodNotFound, message: "method not found: " + excerpt(of: method))
  }

  /// The params are not those of the method.
  public static func invalidParams(_ message: String, data: JSON? = nil) -> RPCError {
    RPCError(code: ErrorCode.invalidParams, message: message, data: data)
  }

  /// A bug of the server.
  public static func internalError(
    _ message: String = "internal error", data: JSON? = nil
  ) -> RPCError {
    RPCError(code: ErrorCode.internalError, message: message, data: data)
  }

  /// A request came before `initialize`.
  public static func serverNotInitialized(
    _ message: String = "the server is not initialized: send initialize first"
  ) -> RPCError {
    RPCError(code: ErrorCode.serverNotInitialized, message: message)
  }

  /// The client cancelled the request.
  public static func requestCancelled(_ message: String = "the request was cancelled") -> RPCError {
    RPCError(code: ErrorCode.requestCancelled, message: message)
  }

  /// What the request was about is no longer there.
  public static func contentModified(_ message: String, data: JSON? = nil) -> RPCError {
    RPCError(code: ErrorCode.contentModified, message: message, data: data)
  }

  /// The request was fine and could not be carried out.
  public static func requestFailed(_ message: String, data: JSON? = nil) -> RPCError {
    RPCError(code: ErrorCode.requestFailed, message: message, data: data)
  }

  /// The first hundred Unicode scalars of a text from outside, for use in a message.
  ///
  /// Scalars and not characters, because one character can be of any length.
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
