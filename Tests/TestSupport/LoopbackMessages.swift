import Synchronization
import System

/// A header field.
package struct LoopbackHeader: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Parses a header line; `nil` for a line without a colon.
  init?(line: some StringProtocol) {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    name = String(line[..<colon])
    value = String(line[line.index(after: colon)...].drop { $0 == " " })
  }
}

/// A request received by a `LoopbackServer`.
package struct LoopbackRequest: Sendable {
  package var method: String
  /// The path with its query.
  package var path: String
  package var headers: [LoopbackHeader]
  package var body: [UInt8]

  package init(method: String, path: String, headers: [LoopbackHeader], body: [UInt8]) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
  }

  package var bodyText: String { String(decoding: body, as: UTF8.self) }

  /// The first header with this name, compared case-insensitively.
  package subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// A response of a `LoopbackServer`.
package struct LoopbackResponse: Sendable {
  package enum Ending: Sendable, Equatable {
    case whole
    /// The connection is closed without a response.
    case nothing
    /// `Content-Length` is that of the whole body, but the connection is closed after this many
    /// bytes of the body.
    case after(bodyBytes: Int)
  }

  package var status: Int
  package var reason = "Status"
  /// The headers without `Content-Length`, which the server adds.
  package var headers: [LoopbackHeader]
  package var body: [UInt8]
  package var ending = Ending.whole
  /// If set, the response waits until this gate opens.
  package var gate: Gate?

  package init(
    _ status: Int, headers: [(String, String)] = [], body: [UInt8], ending: Ending = .whole,
    gate: Gate? = nil
  ) {
    self.status = status
    self.headers = headers.map { LoopbackHeader($0.0, $0.1) }
    self.body = body
    self.ending = ending
    self.gate = gate
  }

  package init(_ status: Int, headers: [(String, String)] = [], body: String = "") {
    self.init(status, headers: headers, body: Array(body.utf8))
  }

  /// Returns a response with a JSON body.
  package static func json(
    _ text: String, status: Int = 200, headers: [(String, String)] = []
  ) -> LoopbackResponse {
    LoopbackResponse(
      status, headers: [("Content-Type", "application/json; charset=utf-8")] + headers, body: text)
  }
}

/// A gate at which threads wait until it is opened. An open gate is never closed again.
package final class Gate: Sendable {
  private let ends: [CInt]
  private let isOpen = Mutex(false)

  package init() {
    var ends: [CInt] = [-1, -1]
    let code = pipe(&ends)
    precondition(code == 0, "A pipe cannot be made.")
    self.ends = ends
  }

  deinit {
    open()
    close(ends[0])
  }

  /// Opens the gate: releases the threads that wait, and lets all later ones pass.
  package func open() {
    isOpen.withLock { isOpen in
      if !isOpen { close(ends[1]) }
      isOpen = true
    }
  }

  /// Blocks the thread until the gate is open.
  package func wait() {
    var end = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    while poll(&end, 1, -1) < 0, errno == EINTR {}
  }
}
