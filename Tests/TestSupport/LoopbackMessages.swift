import Synchronization
import System

/// One line of a header.
package struct LoopbackHeader: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Nil for a line without a colon.
  init?(line: some StringProtocol) {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    name = String(line[..<colon])
    value = String(line[line.index(after: colon)...].drop { $0 == " " })
  }
}

/// What a `LoopbackServer` was asked.
package struct LoopbackRequest: Sendable {
  package var method: String
  /// With its query.
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

  /// The first header of a name, whatever its case.
  package subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// What a `LoopbackServer` answers.
package struct LoopbackAnswer: Sendable {
  package enum Ending: Sendable, Equatable {
    case whole
    /// The connection is closed without a byte of an answer.
    case nothing
    /// The whole length is announced, and the connection closed after so many bytes of the body.
    case after(bodyBytes: Int)
  }

  package var status: Int
  package var reason = "Status"
  /// Without `Content-Length`, which the server adds.
  package var headers: [LoopbackHeader]
  package var body: [UInt8]
  package var ending = Ending.whole
  /// Where given, the answer waits here until it is released.
  package var stall: Gate?

  package init(
    _ status: Int, headers: [(String, String)] = [], body: [UInt8], ending: Ending = .whole,
    stall: Gate? = nil
  ) {
    self.status = status
    self.headers = headers.map { LoopbackHeader($0.0, $0.1) }
    self.body = body
    self.ending = ending
    self.stall = stall
  }

  package init(_ status: Int, headers: [(String, String)] = [], body: String = "") {
    self.init(status, headers: headers, body: Array(body.utf8))
  }

  /// A JSON text.
  package static func json(
    _ text: String, status: Int = 200, headers: [(String, String)] = []
  ) -> LoopbackAnswer {
    LoopbackAnswer(
      status, headers: [("Content-Type", "application/json; charset=utf-8")] + headers, body: text)
  }
}

/// A closed door: who comes waits until someone opens it for good.
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

  /// Lets everybody through, now and later.
  package func open() {
    isOpen.withLock { isOpen in
      if !isOpen { close(ends[1]) }
      isOpen = true
    }
  }

  /// Blocks the thread until the door is open.
  package func wait() {
    var end = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    while poll(&end, 1, -1) < 0, errno == EINTR {}
  }
}
