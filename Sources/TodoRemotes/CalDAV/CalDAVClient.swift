import TodoModel

/// A client for one task list. Its requests contain the password, so it sends them only to the
/// origin of the list. No response can redirect it to another server.
struct CalDAVClient: Sendable {
  /// The URL of the task list, with a slash at its end.
  let url: HTTPURL
  let login: CalDAVLogin?
  let transport: any HTTPTransport
  let now: @Sendable () -> Timestamp

  /// The path of the task list, with percent-encoding decoded.
  private var path: String { URLText.decodedPath(url.path) ?? "" }

  // MARK: Addresses

  func url(of name: String) throws(TodoError) -> HTTPURL {
    guard !["", ".", ".."].contains(name), !name.utf8.contains(UInt8(ascii: "/")),
      let url = HTTPURL("\(url)\(URLText.encoded(name))")
    else { throw TodoError(.notFound, "The source has no such object.") }
    return url
  }

  /// Returns the percent-encoded path of an object, for the body of a request.
  func path(of name: String) throws(TodoError) -> String { String(try url(of: name).path) }

  /// Returns the name of the object at an address; `nil` for the list itself and for objects in
  /// folders of the list. Decoded paths are compared, because servers encode the same path in
  /// different ways.
  ///
  /// - Throws: `invalidResponse` if the address is outside the list.
  func name(at href: String) throws(TodoError) -> String? {
    let target = try path(ofHref: href)
    guard let path = URLText.decodedPath(target) else { return nil }
    let base = self.path
    if path.utf8.starts(with: base.utf8) {
      let name = String(decoding: path.utf8.dropFirst(base.utf8.count), as: UTF8.self)
      return name.isEmpty || name.utf8.contains(UInt8(ascii: "/")) ? nil : name
    }
    guard "\(path)/".hasSameBytes(as: base) else { throw outside }
    return nil
  }

  /// Returns the path of an address, which can be absolute or relative.
  ///
  /// - Throws: `invalidResponse` if the address has another origin than the list.
  func path(ofHref href: String) throws(TodoError) -> Substring {
    let end = href.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    let target = href[..<(end ?? href.endIndex)]
    if target.hasPrefix("/"), !target.hasPrefix("//") { return target }
    guard let other = url.resolving(href), other.hasSameOrigin(as: url) else { throw outside }
    return other.path
  }

  private var outside: TodoError {
    TodoError(
      .invalidResponse,
      "The source names an address that is not below \(url). Requests go nowhere else. "
        + "Check the URL of the source.")
  }

  // MARK: Requests

  /// Sends a request for properties, and returns the parsed response.
  func properties(
    _ method: String, _ url: HTTPURL, depth: Int, _ body: String
  ) async throws(TodoError) -> (status: Multistatus, response: HTTPResponse) {
    let response = try await send(
      method, url,
      headers: [
        HTTPHeader("Depth", String(depth)),
        HTTPHeader("Content-Type", "application/xml; charset=utf-8"),
      ], body: Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\(body)".utf8))
    guard response.status == 207 else {
      if 200..<300 ~= response.status {
        throw TodoError(
          .invalidResponse,
          "\(url.host) answered with something else than the XML of a calendar "
            + "server. Check the URL of the source.")
      }
      throw CalDAVFailure(response, url: url, login: login, now: now()).error
    }
    return (try Multistatus(response.body), response)
  }

  /// Sends a request, and returns the response with any status. Redirects are not followed.
  func send(
    _ method: String, _ url: HTTPURL, headers: [HTTPHeader] = [], body: [UInt8]? = nil
  ) async throws(TodoError) -> HTTPResponse {
    guard url.hasSameOrigin(as: self.url), url.isConfidential else { throw outside }
    var request = HTTPRequest(method, url, headers: headers, body: body)
    if let login { request.headers.append(HTTPHeader("Authorization", login.header.revealed)) }
    request.headers.append(HTTPHeader("User-Agent", "todo-server"))
    return try await transport.send(request)
  }

  /// Sends a request that concerns one object, and returns the response. Throws an error unless the
  /// status means success.
  func object(
    _ method: String, _ name: String, headers: [HTTPHeader] = [], body: [UInt8]? = nil
  ) async throws(TodoError) -> HTTPResponse {
    let url = try url(of: name)
    let response = try await send(method, url, headers: headers, body: body)
    guard 200..<300 ~= response.status else {
      throw CalDAVFailure(response, url: url, login: login, now: now()).error
    }
    return response
  }
}

/// The conversion of an unsuccessful response into a `TodoError`.
struct CalDAVFailure {
  let error: TodoError

  init(_ response: HTTPResponse, url: HTTPURL, login: CalDAVLogin?, now: Timestamp) {
    let (host, status) = (url.host, response.status)
    let retryAt = response.value(of: "Retry-After").flatMap {
      HTTPDate.instant(after: $0, now: now, theirs: response.date)
    }
    error =
      switch status {
      case 401:
        TodoError(
          .unauthorized,
          login.map { "\(host) refuses the name and the password (from \($0.origin))." }
            ?? "\(host) needs a password. \(CalDAVPassword.advice)", status: status)
      case 403:
        TodoError(.forbidden, "You may not do this at \(host).", status: status)
      case 404, 410:
        TodoError(.notFound, "\(host) does not have this: \(url.path)", status: status)
      case 409, 412:
        TodoError(.conflict, "\(host) has another version of this todo.", status: status)
      case 413:
        TodoError(.validation, "\(host) finds this todo too large.", status: status)
      case 300..<400:
        TodoError(
          .invalidResponse,
          "\(host) redirects \(url.path) to another address, which is not followed. "
            + "Check the URL of the source.", status: status)
      case 429:
        TodoError(.rateLimited, "\(host) allows no more requests now.", retryAt: retryAt)
      case 507: TodoError(.server, "\(host) has no room left.", status: status)
      case 500...:
        TodoError(.server, "\(host) has a problem.", status: status, retryAt: retryAt)
      default:
        TodoError(
          .invalidResponse, "\(host) gave an unexpected answer.", status: status)
      }
  }
}
