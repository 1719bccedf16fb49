import JSONRPC
import System
import TodoModel

/// A transcript in a file.
package struct TranscriptFile {
  package let path: String

  package init(path: String) { self.path = path }

  package enum Report: Sendable, Equatable {
    case same
    case updated
    /// The first difference with its context, to be shown.
    case different([String])
  }

  /// Reads the file. Throws a sentence when it is not a transcript that says anything.
  package func read() throws(TranscriptError) -> Transcript {
    guard access(path, R_OK) == 0 else {
      throw TranscriptError("cannot be read: \(String(cString: strerror(errno)))")
    }
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

  /// Runs it in this process, and compares or rewrites what is written down.
  package func replay(
    updating isUpdating: Bool = false, pieceBytes: Int? = nil
  ) throws(TranscriptError) -> Report {
    let transcript = try read()
    let outputs = try Replay(transcript, httpFolder: httpFolder, pieceBytes: pieceBytes).run()
    let difference = TranscriptDifference(transcript, outputs)
    guard let difference else { return .same }
    guard isUpdating else { return .different(difference.lines) }
    // What holds stays as it is written, with its `<any>`.
    let kept = zip(transcript.exchanges, outputs).map { exchange, actual in
      OutputLines.match(actual, exchange.output) ? exchange.output : actual
    }
    try write(transcript.text(withOutputs: kept))
    return .updated
  }

  /// `Fixtures/http` for a transcript anywhere under `Fixtures/transcripts`, also when the path
  /// begins below that folder; else the own folder.
  package var httpFolder: String {
    if let folder = Self.httpFolder(besideTranscriptsIn: path) { return folder }
    if let real = CanonicalPath.resolved(path),
      let folder = Self.httpFolder(besideTranscriptsIn: real)
    {
      return folder
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
  }

  private static func httpFolder(besideTranscriptsIn path: String) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.lastIndex(of: "transcripts").map { index in
      (parts[..<index] + ["http"]).joined(separator: "/")
    }
  }

  /// Puts the new text in the place of the file, whole or not at all.
  private func write(_ text: String) throws(TranscriptError) {
    let temporary = "\(path).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw TranscriptError("cannot be written") }
    let bytes = Array(text.utf8)
    let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    guard count == bytes.count, rename(temporary, path) == 0 else {
      unlink(temporary)
      throw TranscriptError("cannot be written")
    }
  }
}

// Inside a type with a `write` of its own, the system's needs another name.
private let systemWrite = write

/// Output lines, grouped into messages.
package enum OutputLines {
  /// Whether the lines say the same, but that `"<any>"` in a message stands for any value.
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

  /// Each line with those that go on with it.
  package static func groups(_ lines: [String]) -> [String] {
    var groups: [String] = []
    for line in lines {
      if Transcript.goesOn(line), !groups.isEmpty {
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
