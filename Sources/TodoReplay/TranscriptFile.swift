import JSONRPC
import System
import TodoModel

/// A transcript in a file.
package struct TranscriptFile {
  package let path: String
  /// The folder below which the file was found, with links resolved; `nil` if the user specified
  /// the file itself.
  private let folder: String?

  package init(path: String, foundBelow folder: String? = nil) {
    self.path = path
    self.folder = folder
  }

  package enum Report: Sendable, Equatable {
    case same
    case updated
    /// The first difference, with its context.
    case different([String])
  }

  /// Reads the file; throws an error with a message if it is not a transcript or has no input.
  package func read() throws(TranscriptError) -> Transcript {
    guard access(path, R_OK) == 0 else {
      throw TranscriptError("cannot be read: \(String(cString: strerror(errno)))")
    }
    if let folder { try check(isBelow: folder) }
    guard let text = HTTPFixtures.contents(of: path) else {
      throw TranscriptError("cannot be read as UTF-8")
    }
    guard !text.isEmpty else { throw TranscriptError("is empty") }
    let transcript = try Transcript(text)
    guard !transcript.exchanges.isEmpty else {
      throw TranscriptError("has no exchange: no line begins with --> or ~~>")
    }
    return transcript
  }

  /// Checks that the file is a regular file in the folder. The folder may be malicious, so links
  /// that lead out of it are refused, and pipes and devices are not opened.
  ///
  /// - Throws: An error with a message if the file is refused.
  private func check(isBelow folder: String) throws(TranscriptError) {
    guard FileMode(of: path)?.isRegularFile == true else {
      throw TranscriptError("is not a regular file")
    }
    let start = folder.hasSuffix("/") ? folder : folder + "/"
    guard CanonicalPath.resolved(path)?.hasPrefix(start) == true else {
      throw TranscriptError(
        "is a link to a file outside of \(folder). Replay that file by its path.")
    }
  }

  /// Replays the transcript in this process, and compares the output with the expected output. If
  /// the outputs differ and `isUpdating` is `true`, updates the file.
  package func replay(
    updating isUpdating: Bool = false, pieceBytes: Int? = nil
  ) throws(TranscriptError) -> Report {
    let transcript = try read()
    let outputs = try Replay(transcript, httpFolder: httpFolder, pieceBytes: pieceBytes).run()
    let difference = TranscriptDifference(transcript, outputs)
    guard let difference else { return .same }
    guard isUpdating else { return .different(difference.lines) }
    // Expected output that matches stays unchanged, including its `<any>`.
    let kept = zip(transcript.exchanges, outputs).map { exchange, actual in
      OutputLines.match(actual, exchange.output) ? exchange.output : actual
    }
    try write(transcript.text(withOutputs: kept))
    return .updated
  }

  /// The folder of the files with HTTP responses:
  ///
  /// - For a transcript below a folder `transcripts`, such as `Fixtures/transcripts`: the folder
  ///   `http` beside that folder, such as `Fixtures/http`. If the path of the transcript does not
  ///   contain `transcripts`, the resolved path is searched instead, so that a path relative to a
  ///   subfolder works.
  /// - For any other transcript: the folder of the transcript.
  package var httpFolder: String {
    if let folder = Self.httpFolder(besideTranscriptsIn: path) { return folder }
    if let real = CanonicalPath.resolved(path),
      let folder = Self.httpFolder(besideTranscriptsIn: real)
    {
      return folder
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let own = parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
    return CanonicalPath.resolved(own) ?? own
  }

  private static func httpFolder(besideTranscriptsIn path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.lastIndex(of: "transcripts").map { index in
      (parts[..<index] + ["http"]).joined(separator: "/")
    }
  }

  /// Replaces the file atomically.
  ///
  /// The temporary file has a random name. With a predictable name, a link of that name in an
  /// untrusted folder could make this method overwrite another file.
  private func write(_ text: String) throws(TranscriptError) {
    var name = Array((path + "." + String(repeating: "X", count: 6)).utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else {
      throw TranscriptError("cannot be written: \(systemReason(errno))")
    }
    var status = stat()
    let mode = stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o644
    let isWritten = fchmod(descriptor, mode) == 0 && writeAll(Array(text.utf8), to: descriptor)
    close(descriptor)
    guard isWritten, rename(name, path) == 0 else {
      let reason = systemReason(errno)
      unlink(name)
      throw TranscriptError("cannot be written: \(reason)")
    }
  }
}

/// The comparison of output lines, grouped into messages.
package enum OutputLines {
  /// Returns whether the lines are equal. `"<any>"` in an expected message matches any value.
  package static func match(_ actual: [String], _ expected: [String]) -> Bool {
    if actual == expected { return true }
    let (actual, expected) = (groups(actual), groups(expected))
    return actual.count == expected.count
      && zip(actual, expected).allSatisfy { actual, expected in
        if actual == expected { return true }
        guard actual.hasPrefix("<-- "), expected.hasPrefix("<-- "),
          let actualJSON = json(actual), let expectedJSON = json(expected)
        else { return false }
        return TranscriptJSON.matches(actualJSON, expectedJSON)
      }
  }

  /// Joins each line with the lines that continue it.
  package static func groups(_ lines: [String]) -> [String] {
    var groups: [String] = []
    for line in lines {
      if Transcript.isContinuation(line), !groups.isEmpty {
        groups[groups.count - 1] += "\n\(line)"
      } else {
        groups.append(line)
      }
    }
    return groups
  }

  package static func json(_ group: String) -> JSON? {
    try? JSON(parsing: Array(group.dropFirst(4).utf8))
  }
}
