import TodoModel

/// A client that sends HTTP requests, and returns each complete response with any status.
///
/// Redirects are not followed. If the task is cancelled, the request ends immediately. Without a
/// complete response, the error is `offline`, `timeout` or `invalidResponse`.
package protocol HTTPTransport: Sendable {
  func send(_ request: HTTPRequest) async throws(TodoError) -> HTTPResponse
}

package struct HTTPRequest: Sendable {
  package var method: String
  package var url: HTTPURL
  package var headers: [HTTPHeader]
  /// The body; `nil` for a request without a body.
  package var body: [UInt8]?
  /// The timeout of this request, in milliseconds, if it is shorter than the transport's timeout;
  /// `nil` to use the transport's timeout.
  package var millisecondsMax: Int64?

  package init(
    _ method: String, _ url: HTTPURL, headers: [HTTPHeader] = [], body: [UInt8]? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// A header of a request or response. Its value can be a token, so only its name is printed.
package struct HTTPHeader: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  package var description: String { name }
  package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: [HTTPHeader]
  /// The body, with transfer and content encodings decoded.
  package var body: [UInt8]

  package init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Returns the values of a header in their order. The case of the name is ignored.
  package func values(of name: String) -> [String] {
    let name = name.lowercased()
    return headers.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// Returns the first value of a header; `nil` if there is none.
  package func value(of name: String) -> String? { values(of: name).first }

  /// Whether the header `Content-Type` names a JSON format; `nil` if the header is missing.
  package var isJSON: Bool? {
    value(of: "Content-Type").map { type in
      let media = type.prefix { $0 != ";" }.lowercased().trimmed
      return media.hasSuffix("/json") || media.hasSuffix("+json")
    }
  }
}
