import JSONRPC
import TodoModel

/// The conversion of an unsuccessful response of GitHub into a `TodoError`.
///
/// Where possible, it uses the status and the headers. The texts of messages are for humans, and
/// can change.
struct GitHubFailure {
  let response: HTTPResponse
  /// The token of the request. Error messages mask the token if the response contains it.
  let token: Secret?
  /// The name of the environment variable for the token. Error messages contain this name.
  let tokenVariable: String
  let now: Timestamp
  /// Whether to assume that a rate limit ends in one minute, if GitHub does not state its end. If
  /// `false`, the error for such a limit contains no time: the caller computes the time from the
  /// number of consecutive responses with a rate limit.
  var assumesRetryAt = true

  var error: TodoError {
    let status = response.status
    switch status {
    case 401:
      return TodoError(
        .unauthorized,
        token == nil
          ? "\(quoting("GitHub wants a token")). Set \(tokenAdvice)."
          : "\(quoting("GitHub does not accept the token")). Set \(tokenAdvice).")
    case 403:
      return limit
        ?? TodoError(
          .forbidden,
          "\(quoting("GitHub does not allow this")). Ask for access, or set \(tokenAdvice).")
    case 429: return limit ?? rateLimited(until: guess)
    case 404:
      return TodoError(
        .notFound,
        "The repository or the issue was not found, or no access to it is allowed. "
          + "Check its name, or set \(tokenAdvice).")
    case 410 where isDeleted:
      return TodoError(.notFound, "The issue was deleted at GitHub.", status: status)
    case 410:
      return TodoError(
        .issuesDisabled,
        "\(quoting("The repository's issues are switched off")). Switch them on at GitHub, or choose "
          + "another source.")
    case 422: return validation
    case 500...599:
      return TodoError(
        .server, message("GitHub has a problem (status \(status)). Try again later"),
        status: status, retryAt: retryAfter)
    default:
      return TodoError(
        .invalidResponse, message("GitHub gave an unexpected answer (status \(status))"),
        status: status)
    }
  }

  /// The end of an error message: the environment variable to set, and the rights that the token
  /// needs.
  private var tokenAdvice: String {
    "\(tokenVariable) to \(token == nil ? "a" : "another") token that has \(GitHubToken.rights)"
  }

  // MARK: Limits

  /// The error for a rate limit; `nil` if the response is about permissions.
  private var limit: TodoError? {
    if response.value(of: "Retry-After") != nil {
      return rateLimited(until: retryAfter ?? guess)
    }
    if response.value(of: "X-RateLimit-Remaining") == "0" {
      return rateLimited(until: response.resetInstant(now: now) ?? guess)
    }
    guard isSecondaryLimit else { return nil }
    return rateLimited(until: guess)
  }

  private var retryAfter: Timestamp? {
    response.value(of: "Retry-After").flatMap {
      HTTPDate.instant(after: $0, now: now, theirs: response.date)
    }.map { SyncEngine.limitEnd($0, at: now) }
  }

  /// The time of the next request if GitHub does not name a time: in one minute, as GitHub
  /// recommends. `nil` if `assumesRetryAt` is `false`.
  private var guess: Timestamp? {
    assumesRetryAt ? Timestamp(milliseconds: now.milliseconds + 60_000) : nil
  }

  private var isSecondaryLimit: Bool {
    let message = json?["message"]?.stringValue?.lowercased() ?? ""
    let link = json?["documentation_url"]?.stringValue ?? ""
    return message.contains("secondary rate limit") || message.contains("abuse detection")
      || link.hasSuffix("secondary-rate-limits") || link.hasSuffix("#abuse-rate-limits")
  }

  private func rateLimited(until instant: Timestamp?) -> TodoError {
    TodoError(
      .rateLimited,
      instant.map { "GitHub's limit is reached. The next request is allowed at \($0)." }
        ?? "GitHub's limit is reached. Try again later.",
      retryAt: instant)
  }

  // MARK: Messages of GitHub

  /// Whether GitHub's message says that the issue was deleted. The status alone does not show this:
  /// GitHub sends the same status if the repository's issues are switched off.
  private var isDeleted: Bool {
    json?["message"]?.stringValue?.lowercased().contains("deleted") ?? false
  }

  /// The maximum number of problems in GitHub's response that are reported to the user.
  private static let problemsMax = 20

  private var validation: TodoError {
    let problems = (json?["errors"]?.arrayValue ?? []).prefix(Self.problemsMax).map { problem in
      let code = problem["code"]?.stringValue
      return FieldProblem(
        field: shown(problem["field"]?.stringValue ?? problem["resource"]?.stringValue ?? ""),
        message: shown(
          problem.stringValue ?? problem["message"]?.stringValue ?? code ?? "not accepted"))
    }
    let details = problems.map { $0.field.isEmpty ? $0.message : "\($0.field): \($0.message)" }
    let words = details.isEmpty ? "" : " (\(shown(details.joined(separator: ", "))))"
    var error = TodoError(.validation, message("GitHub does not accept this") + words)
    error.fields = problems
    return error
  }

  private var json: JSON? { try? JSON(repairing: response.body) }

  /// Returns `start`, followed by GitHub's own message if the response contains one.
  private func message(_ start: String) -> String {
    let message = json?["message"]?.stringValue.map(shown) ?? ""
    return message.isEmpty ? "\(start)." : "\(start): \(message)"
  }

  /// Returns `start`, followed by GitHub's own message in parentheses if the response contains one.
  private func quoting(_ start: String) -> String {
    let message = json?["message"]?.stringValue.map(shown) ?? ""
    return message.isEmpty ? start : "\(start) (\(message))"
  }

  private func shown(_ text: String) -> String {
    SanitizedMessage(text, hiding: [token].compactMap { $0 }).text
  }
}
