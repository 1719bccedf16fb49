import JSONRPC
import TodoModel

/// A client for the issues of GitHub's REST API. It converts each unsuccessful response into an
/// error.
///
/// It follows redirects itself, with the same method, body and token. It sends no request to an
/// address outside of its scope.
struct GitHubClient: Sendable {
  /// The path of the repository; `nil` for the issues of all repositories.
  private let place: String?
  private let scope: RequestScope
  var token: Secret?
  /// The name of the environment variable that contains the token. Error messages show this name.
  let tokenVariable: String
  let transport: any HTTPTransport
  let now: @Sendable () -> Timestamp

  private static let redirectsMax = 5

  init(
    repository: String, baseURL: String, token: Secret?, tokenVariable: String? = nil,
    transport: any HTTPTransport, now: @escaping @Sendable () -> Timestamp
  ) throws(TodoError) {
    guard let repository = RepositoryName(repository) else {
      throw .validation([
        FieldProblem(field: "source", message: "A GitHub source is github:OWNER/REPO.")
      ])
    }
    try self.init(
      GitHubAddress(baseURL: baseURL, repository: repository), token: token,
      tokenVariable: tokenVariable, transport: transport, now: now)
  }

  /// Creates a client for the issues at an address.
  ///
  /// - Parameter tokenVariable: The name of the environment variable for the token; `nil` for the
  ///   variable that `GitHubToken` reads for the host.
  init(
    _ address: GitHubAddress, token: Secret?, tokenVariable: String? = nil,
    transport: any HTTPTransport, now: @escaping @Sendable () -> Timestamp
  ) throws(TodoError) {
    guard let scope = RequestScope(address.baseURL) else {
      throw .validation([
        FieldProblem(
          field: "githubURL", message: "The GitHub URL must be like https://api.github.com.")
      ])
    }
    switch address.issues {
    case .repository(let name, _): place = "repos/\(name)"
    case .assigned: place = nil
    }
    self.scope = scope
    self.token = token.flatMap { $0.isEmpty ? nil : $0 }
    self.tokenVariable = tokenVariable ?? GitHubToken.variable(for: address.baseURL)
    self.transport = transport
    self.now = now
  }

  /// Returns the URL of a path below the repository, such as `issues/7`.
  ///
  /// - Parameter root: The new path of the repository after a permanent redirect. It is ignored
  ///   unless it is a plain path (see `RequestScope.isPlain`).
  func url(_ path: String, in root: String? = nil) throws(TodoError) -> HTTPURL {
    let moved = root.flatMap { RequestScope.isPlain(path: $0) ? $0 : nil }
    let start = (moved ?? place).map { "\($0)/" } ?? ""
    return try address("\(scope)/\(start)\(path)")
  }

  /// Requests the name of the token's user.
  func user() async throws(TodoError) -> String {
    let (response, json) = try await json("GET", address("\(scope)/user"))
    guard let name = json["login"]?.stringValue else {
      throw TodoError(
        .invalidResponse, "GitHub sent a user without a name.", status: response.status)
    }
    return name
  }

  /// Returns the part of a URL's path before `end`, such as `repositories/42` for
  /// `BASE/repositories/42/issues?...`; `nil` if this part is not a plain path (see
  /// `RequestScope.isPlain`).
  func root(of url: HTTPURL, before end: String) -> String? {
    let (start, end) = ("\(scope)/", "/\(end)")
    let text = url.description
    guard text.hasPrefix(start), text.hasSuffix(end),
      text.utf8.count > start.utf8.count + end.utf8.count
    else { return nil }
    let root = String(text.dropFirst(start.utf8.count).dropLast(end.utf8.count))
    return RequestScope.isPlain(path: root) ? root : nil
  }

  /// Returns the URL of an absolute or relative address.
  ///
  /// - Parameter source: The URL whose response contains the address; `nil` for an absolute
  ///   address.
  /// - Throws: `invalidResponse` if the URL is outside of the scope.
  func address(
    _ text: String, in source: HTTPURL? = nil, status: Int? = nil
  ) throws(TodoError) -> HTTPURL {
    let url = source.map { $0.resolving(text) } ?? HTTPURL(text)
    return try inScope(url, status: status)
  }

  private func inScope(_ url: HTTPURL?, status: Int? = nil) throws(TodoError) -> HTTPURL {
    guard let url, scope.contains(url) else {
      throw TodoError(
        .invalidResponse,
        "GitHub names an address that is not below \(scope). Requests go nowhere else. "
          + "Check the URL of the source.", status: status)
    }
    return url
  }

  /// Sends a request, follows its redirects, and returns the last response with its parsed JSON.
  /// Throws an error if the status is neither 200 nor 201, or the body is not JSON.
  func json(
    _ method: String, _ url: HTTPURL
  ) async throws(TodoError) -> (response: HTTPResponse, json: JSON) {
    let response = try await send(method, url).response
    return (response, try json(of: response))
  }

  /// Parses the JSON of a response. Throws an error if the status is neither 200 nor 201, or the
  /// body is not JSON.
  ///
  /// - Parameter assumesRetryAt: Whether the error for a rate limit assumes that the limit ends in
  ///   one minute, if GitHub does not state the end.
  func json(of response: HTTPResponse, assumesRetryAt: Bool = true) throws(TodoError) -> JSON {
    guard response.status == 200 || response.status == 201 else {
      throw GitHubFailure(
        response: response, token: token, tokenVariable: tokenVariable, now: now(),
        assumesRetryAt: assumesRetryAt
      ).error
    }
    guard response.isJSON != false else {
      throw TodoError(
        .invalidResponse, "GitHub answered with something else than JSON.",
        status: response.status)
    }
    do {
      return try JSON(repairing: response.body)
    } catch {
      throw TodoError(
        .invalidResponse, "GitHub's answer is not whole or is not JSON: \(error).",
        status: response.status)
    }
  }

  /// Sends a request, follows its redirects, and returns the last response. `movedTo` is the URL to
  /// which permanent redirects have led; `nil` if no redirect was followed, or if a redirect
  /// was temporary.
  ///
  /// A redirect with status 303 is not followed, because it would change the method to GET.
  ///
  /// - Parameter segment: The last segment of the path, such as a label. It can contain any
  ///   characters. If it contains special characters, the new URL of a redirect contains them, too.
  ///   Such a URL is not followed, and the error is `invalidResponse`.
  func send(
    _ method: String, _ start: HTTPURL, segment: String? = nil, body: JSONObject? = nil,
    tag: String? = nil
  ) async throws(TodoError) -> (response: HTTPResponse, movedTo: HTTPURL?) {
    var start = try inScope(start)
    if let segment { start = try Self.url(start, appending: segment) }
    var request = HTTPRequest(method, start, headers: headers)
    if let tag { request.headers.append(HTTPHeader("If-None-Match", tag)) }
    var isPermanent = true
    if let body {
      var bytes: [UInt8] = []
      body.write(to: &bytes)
      request.body = bytes
      request.headers.append(HTTPHeader("Content-Type", "application/json"))
    }
    let first = (url: start, time: now())
    var visited: Set<String> = []
    while visited.count <= Self.redirectsMax {
      guard visited.insert(request.url.description).inserted else {
        throw TodoError(.invalidResponse, "GitHub's redirects lead in a circle.")
      }
      guard token == nil || request.url.isConfidential else {
        throw TodoError(
          .insecureURL,
          "A token is not sent over plain http to \(request.url.host). Use https, or no token.")
      }
      let response = try await transport.send(request)
      guard [301, 302, 307, 308].contains(response.status),
        let location = response.value(of: "Location")
      else { return (response, isPermanent && request.url != first.url ? request.url : nil) }
      isPermanent = isPermanent && (response.status == 301 || response.status == 308)
      request.url = try address(location, in: request.url, status: response.status)
      request.millisecondsMax = try timeLeft(since: first.time)
    }
    throw TodoError(
      .invalidResponse, "GitHub redirects more than \(Self.redirectsMax) times.")
  }

  /// Returns a URL with one more segment, in which all special characters are percent-encoded.
  ///
  /// - Throws: `validation` for a segment such as `..`, which would name another path.
  private static func url(
    _ url: HTTPURL, appending segment: String
  ) throws(TodoError) -> HTTPURL {
    guard segment.utf8.contains(where: { $0 != UInt8(ascii: ".") }),
      let url = HTTPURL("\(url)/\(URLText.encoded(segment))")
    else {
      throw .validation([
        FieldProblem(
          field: "labels", message: "The label \"\(segment)\" can only be removed at GitHub.")
      ])
    }
    return url
  }

  /// Returns the time that is left for a redirect, in milliseconds. A request and its redirects
  /// share one timeout, because other server processes rely on the maximum duration of a request.
  ///
  /// - Throws: `timeout` if no time is left.
  private func timeLeft(since start: Timestamp) throws(TodoError) -> Int64 {
    let elapsed = max(0, now().milliseconds - start.milliseconds)
    let rest = RequestTimeouts.standard.totalMilliseconds - elapsed
    guard rest > 0 else { throw TodoError(.timeout, "GitHub redirected for too long. Try again.") }
    return rest
  }

  private var headers: [HTTPHeader] {
    var headers = [
      HTTPHeader("User-Agent", "\(Product.name)/\(Product.version)"),
      HTTPHeader("Accept", "application/vnd.github+json"),
      HTTPHeader("X-GitHub-Api-Version", "2022-11-28"),
    ]
    if let token { headers.append(HTTPHeader("Authorization", "Bearer \(token.revealed)")) }
    return headers
  }
}
