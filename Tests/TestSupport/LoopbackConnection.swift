import System

extension UInt8 {
  /// Whether the byte is a capital letter, with which every HTTP request begins. A TLS handshake
  /// begins with another byte, and would never be a complete request.
  fileprivate var isLetter: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
}

/// A connection of a `LoopbackServer`: parses requests and writes responses.
struct LoopbackConnection {
  let descriptor: CInt
  private var unread: [UInt8] = []

  init(descriptor: CInt) { self.descriptor = descriptor }

  /// Reads the next request; returns `nil` if the connection was closed.
  mutating func readRequest() -> LoopbackRequest? {
    let end: [UInt8] = [13, 10, 13, 10]
    var headEnd = firstIndex(of: end)
    while headEnd == nil {
      guard readMore(), unread.first?.isLetter == true else { return nil }
      headEnd = firstIndex(of: end)
    }
    guard let headEnd else { return nil }
    let head = String(decoding: unread[..<headEnd], as: UTF8.self)
    unread.removeFirst(headEnd + end.count)
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines.removeFirst().split(separator: " ")
    guard words.count == 3 else { return nil }
    let headers = lines.compactMap { LoopbackHeader(line: $0) }
    let count = headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) }
    while unread.count < count ?? 0 {
      guard readMore() else { return nil }
    }
    let body = Array(unread.prefix(count ?? 0))
    unread.removeFirst(body.count)
    return LoopbackRequest(
      method: String(words[0]), path: String(words[1]), headers: headers, body: body)
  }

  private func firstIndex(of pattern: [UInt8]) -> Int? {
    guard unread.count >= pattern.count else { return nil }
    return (0...(unread.count - pattern.count)).first {
      unread[$0..<($0 + pattern.count)].elementsEqual(pattern)
    }
  }

  private mutating func readMore() -> Bool {
    var part = [UInt8](repeating: 0, count: 65_536)
    var count = -1
    repeat { count = recv(descriptor, &part, part.count, 0) } while count < 0 && errno == EINTR
    guard count > 0 else { return false }
    unread += part[..<count]
    return true
  }

  /// Writes a response; returns `false` if the connection was closed.
  func write(_ answer: LoopbackResponse) -> Bool {
    guard answer.ending != .nothing else { return true }
    var head = "HTTP/1.1 \(answer.status) \(answer.reason)\r\n"
    for header in answer.headers { head += "\(header.name): \(header.value)\r\n" }
    if answer.status != 304 { head += "Content-Length: \(answer.body.count)\r\n" }
    var bytes = Array((head + "\r\n").utf8) + answer.body
    if case .after(let bodyBytes) = answer.ending {
      bytes.removeLast(max(0, answer.body.count - bodyBytes))
    }
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { part in
        #if canImport(Glibc)
          send(descriptor, part.baseAddress, part.count, CInt(MSG_NOSIGNAL))
        #else
          send(descriptor, part.baseAddress, part.count, 0)
        #endif
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }
}
