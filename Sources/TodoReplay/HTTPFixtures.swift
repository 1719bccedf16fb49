import JSONRPC
import System
import TodoModel
import TodoRemotes
import TodoStores

/// The HTTP responses of a transcript. A response is inline, or in a file that contains an HTTP
/// response (status line, headers, an empty line, the body).
struct HTTPFixtures {
  var folder: String

  /// Parses a response, such as `200 {...}`, `503 text/html <p>…`, `file NAME`, `offline` or
  /// `timeout`.
  func answer(
    _ word: String, _ rest: String
  ) throws(TranscriptError) -> Result<HTTPResponse, TodoError> {
    switch word {
    case "offline": return .failure(TodoError(.offline, "The service cannot be reached."))
    case "timeout": return .failure(TodoError(.timeout, "The service did not answer in time."))
    case "file": return .success(try read(rest))
    case "answer", "failure":
      guard let json = try? JSON(parsing: Array(rest.utf8)) else {
        throw TranscriptError("~~> \(word): expected a JSON object")
      }
      if word == "failure" { return .failure(try AnswerLines.error(json)) }
      return .success(try AnswerLines.response(json))
    default:
      guard let status = Int(word), (100..<600).contains(status) else {
        throw TranscriptError(
          "~~> \(word): expected bytes, time, end, grace, signal or an HTTP answer")
      }
      let isJSON = rest.hasPrefix("{") || rest.hasPrefix("[") || rest.isEmpty
      let type = isJSON ? "application/json; charset=utf-8" : "text/html"
      return .success(
        HTTPResponse(
          status: status, headers: [HTTPHeader("Content-Type", type)], body: Array(rest.utf8)))
    }
  }

  private func read(_ name: String) throws(TranscriptError) -> HTTPResponse {
    guard let path = path(of: name) else {
      throw TranscriptError(
        "~~> file \(name): is outside of \(folder), or a link. Name a file in that folder.")
    }
    guard FileMode(of: path)?.isRegularFile == true, let text = Self.contents(of: path) else {
      throw TranscriptError("~~> file \(name): cannot be read from \(folder)")
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first, let status = first.split(separator: " ").dropFirst().first,
      let code = Int(status), let end = lines.firstIndex(where: { $0.isEmpty })
    else { throw TranscriptError("~~> file \(name): expected a status line, headers, a body") }
    let headers = lines[1..<end].compactMap { line in
      line.firstIndex(of: ":").map { colon in
        HTTPHeader(
          String(line[..<colon]), String(line[line.index(after: colon)...]).trimmed)
      }
    }
    let body = lines[(end + 1)...].joined(separator: "\n")
    return HTTPResponse(status: code, headers: headers, body: Array(body.utf8))
  }

  /// Returns the path of a file in the folder; `nil` if the name could lead out of the folder, or
  /// if the folder, the file or a folder between them is a symbolic link.
  private func path(of name: String) -> String? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { ["", ".", ".."].contains($0) }),
      FileMode(ofLink: folder)?.isLink != true
    else { return nil }
    let path = "\(folder)/\(name)"
    guard let real = CanonicalPath.resolved(path) else { return path }
    return CanonicalPath.resolved(folder).map { "\($0)/\(name)" } == real ? path : nil
  }

  /// Returns the text of a file; `nil` if the file cannot be read or is not UTF-8.
  static func contents(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while true {
      let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        count = max(0, systemRead(descriptor, buffer.baseAddress, buffer.count))
      }
      if piece.isEmpty { return String(validating: bytes, as: UTF8.self) }
      bytes += piece
    }
  }
}

// In a type with a method `read`, the system's function needs another name.
private let systemRead = read
