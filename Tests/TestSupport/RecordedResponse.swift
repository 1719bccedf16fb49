import System

/// A response stored in a file: `.http` contains a status line, headers, an empty line and the
/// body; `.json` contains only the body of a 200 response.
package struct RecordedResponse: Sendable {
  package var status: Int
  package var headers: [LoopbackHeader]
  package var body: [UInt8]

  /// Reads a recorded response; `nil` if the file does not exist or is invalid.
  package init?(file path: String) {
    guard let bytes = Self.bytes(of: path) else { return nil }
    if path.hasSuffix(".json") {
      self.init(status: 200, headers: [LoopbackHeader("Content-Type", "application/json")], bytes)
    } else {
      self.init(http: bytes)
    }
  }

  private init(status: Int, headers: [LoopbackHeader], _ body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  private init?(http bytes: [UInt8]) {
    var lines: [String] = []
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: 10) {
      let line = String(decoding: bytes[start..<end], as: UTF8.self)
      start = end + 1
      let text = line.last == "\r" ? String(line.dropLast()) : line
      if text.isEmpty { break }
      lines.append(text)
    }
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, let status = Int(words[1]) else { return nil }
    self.init(
      status: status, headers: lines.dropFirst().compactMap { LoopbackHeader(line: $0) },
      Array(bytes[start...]))
  }

  /// Returns the response as served at `url`, with links that lead to that server.
  package func served(at url: String) -> LoopbackResponse {
    var answer = LoopbackResponse(status, body: body)
    answer.headers = headers.map { header in
      guard ["link", "location"].contains(header.name.lowercased()) else { return header }
      let parts = header.value.split(
        separator: "https://api.github.com", omittingEmptySubsequences: false)
      return LoopbackHeader(header.name, parts.joined(separator: url))
    }
    return answer
  }

  /// Returns the contents of a file; `nil` if the file does not exist.
  package static func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&part, 1, part.count, file)
      guard count > 0 else { return bytes }
      bytes += part[..<count]
    }
  }
}
