import CCurl
import System
import TodoModel

/// A libcurl session, which keeps connections open for later requests.
///
/// `Sendable` is unchecked, because the compiler cannot check why it is safe: only one thread at a
/// time performs a request, and other threads call only `cancel`.
final class CurlSession: @unchecked Sendable {
  private let handle: OpaquePointer

  /// Creates a session; `nil` if the system has no libcurl.
  init?() {
    guard let handle = curl_session_make() else { return nil }
    self.handle = handle
  }

  deinit { curl_session_free(handle) }

  func cancel() { curl_session_cancel(handle) }

  /// Sends a request, and blocks until it has received the response.
  func perform(
    _ request: HTTPRequest, timeouts: RequestTimeouts, certificates: String?
  ) throws(TodoError) -> HTTPResponse {
    // An empty `Expect` header prevents curl from waiting for `100 Continue` before a longer body.
    // The servers of sources do not send `100 Continue`.
    let lines = request.headers.map { "\($0.name): \($0.value)" } + ["Expect:"]
    guard lines.allSatisfy({ !$0.utf8.contains { $0 < 0x20 } }) else {
      throw TodoError(.offline, "The request to \(request.url.host) has a header with a line end.")
    }
    let outcome = withCStrings(lines) { headers in
      withCString(certificates) { certificates in
        request.method.withCString { method in
          request.url.description.withCString { url in
            withBytes(request.body) { body in
              var call = curl_session_request()
              call.method = method
              call.url = url
              call.headers = headers.baseAddress
              call.header_count = headers.count
              call.body = body.baseAddress
              call.body_count = body.count
              call.certificates = certificates
              call.is_direct = request.url.isLoopback
              call.connect_milliseconds_max = timeouts.connectMilliseconds
              call.idle_milliseconds_max = timeouts.idleMilliseconds
              call.milliseconds_max = min(
                timeouts.totalMilliseconds, request.millisecondsMax ?? .max)
              call.header_bytes_max = CurlTransport.headerBytesMax
              call.body_bytes_max = CurlTransport.bodyBytesMax
              return curl_session_perform(handle, &call)
            }
          }
        }
      }
    }
    if let error = error(for: outcome, host: request.url.host) { throw error }
    return response
  }

  private func error(for outcome: curl_session_outcome, host: String) -> TodoError? {
    let status = Int(curl_session_status(handle))
    return switch outcome {
    case CURL_SESSION_ANSWERED: nil
    case CURL_SESSION_CANCELLED: TodoError(.offline, "The request was cancelled.")
    case CURL_SESSION_OFFLINE:
      TodoError(.offline, "There is no connection to \(host). Check the network and try again.")
    case CURL_SESSION_TIMED_OUT:
      TodoError(.timeout, "\(host) did not answer in time. Try again.")
    case CURL_SESSION_UNTRUSTED:
      TodoError(
        .offline,
        "There is no secure connection to \(host): its certificate is not trusted, or TLS failed. "
          + "SSL_CERT_FILE can name the certificates to trust.")
    case CURL_SESSION_INVALID_RESPONSE:
      TodoError(
        .invalidResponse, "The answer of \(host) broke off or is not HTTP. Try again.",
        status: status == 0 ? nil : status)
    case CURL_SESSION_TOO_LARGE:
      TodoError(
        .invalidResponse,
        "The answer of \(host) is too large: more than \(CurlTransport.bodyBytesMax) bytes, or "
          + "more than \(CurlTransport.headerBytesMax) of headers.",
        status: status == 0 ? nil : status)
    default: TodoError(.offline, "The request to \(host) could not be made. Try again.")
    }
  }

  private var response: HTTPResponse {
    var count = 0
    let headers = curl_session_headers(handle, &count)
    let lines = UnsafeBufferPointer(start: headers, count: count).split(separator: 0x0A)
    let body = curl_session_body(handle, &count)
    return HTTPResponse(
      status: Int(curl_session_status(handle)), headers: lines.compactMap(Self.header),
      body: Array(UnsafeBufferPointer(start: body, count: count)))
  }

  /// Parses a header line `Name: value`; returns `nil` for the status line and the empty last line.
  private static func header(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> HTTPHeader? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), !line.starts(with: "HTTP/".utf8)
    else {
      return nil
    }
    return HTTPHeader(
      String(decoding: line[..<colon], as: UTF8.self).trimmed,
      String(decoding: line[line.index(after: colon)...], as: UTF8.self).trimmed)
  }
}

private func withCStrings<Result>(
  _ texts: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
  var copies: [UnsafePointer<CChar>?] = texts.map { text in
    let bytes = text.utf8CString
    let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
    _ = copy.initialize(from: bytes)
    return UnsafePointer(copy.baseAddress)
  }
  defer {
    for (copy, text) in zip(copies, texts) {
      guard let copy else { continue }
      // A header can contain a token.
      let count = text.utf8.count + 1
      wipe(
        UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(mutating: copy), count: count))
      copy.deallocate()
    }
  }
  return copies.withUnsafeMutableBufferPointer { body(UnsafeBufferPointer($0)) }
}

private func withCString<Result>(
  _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
  guard let text else { return body(nil) }
  return text.withCString { body($0) }
}

/// Calls `body` with a buffer of the bytes. If `bytes` is `nil`, the base address of the buffer is
/// `nil`. If `bytes` is empty, the base address is not `nil`.
private func withBytes<Result>(
  _ bytes: [UInt8]?, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
  guard let bytes else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
  return (bytes + [0]).withUnsafeBufferPointer { padded in
    body(UnsafeBufferPointer(rebasing: padded.dropLast()))
  }
}
