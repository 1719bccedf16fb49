import TodoModel

/// Sends one HTTP request and answers with whatever came back, be it a 200 or a 500.
///
/// No redirect is followed. Cancelling the task ends the request immediately.
/// Throws `offline`, `timeout` or `invalidResponse` when there is no whole answer.
package protocol HTTPTransport: Sendable {
  func send(_ request: HTTPRequest) async throws(TodoError) -> HTTPResponse
}

/// A request to a service.
package struct HTTPRequest: Sendable {
  package var method: String
  package var url: HTTPURL
  package var headers: [HTTPHeader]
  /// `nil` for a request without a body.
  package var body: [UInt8]?
  /// A shorter timeout than the transport's; `nil` for the transport's own.
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

/// One line of a header. Its value may be a token, so it does not print itself.
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

/// A response of a service.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: [HTTPHeader]
  /// Without transfer and content encodings.
  package var body: [UInt8]

  package init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The values of a header, whatever the case of its name, in the order in which they came.
  package func values(of name: String) -> [String] {
    let name = name.lowercased()
    return headers.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// The first value of a header.
  package func value(of name: String) -> String? { values(of: name).first }

  /// Whether the service says that the body is JSON: true or false, nil when it says nothing.
  package var isJSON: Bool? {
    value(of: "Content-Type").map { type in
      let media = type.prefix { $0 != ";" }.lowercased().trimmed
      return media.hasSuffix("/json") || media.hasSuffix("+json")
    }
  }
}
