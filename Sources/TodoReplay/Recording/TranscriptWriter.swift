import JSONRPC
import System

/// A writer of a transcript during a session, to a file that only its owner can read.
final class TranscriptWriter {
  private let descriptor: Int32
  private let path: String
  /// The lines that wait until the headers have been written, because the headers are not known
  /// before the store is open. `nil` after the headers have been written.
  private var waiting: [String]? = []
  /// Whether a line could not be written.
  private(set) var isBroken = false

  /// Creates the file or replaces an older one; throws an error with a message if that fails.
  init(path: String) throws(TranscriptError) {
    self.path = path
    switch OwnerFile.create(path) {
    case .success(let descriptor): self.descriptor = descriptor
    case .failure(let failure): throw TranscriptError(failure.reason)
    }
  }

  deinit { close(descriptor) }

  /// Whether the headers have not been written yet.
  var needsHeaders: Bool { waiting != nil }

  func begin(headers: [String]) {
    let lines = waiting ?? []
    waiting = nil
    write(headers + [""] + lines)
  }

  /// Replaces a text in everything that was written so far, because the text is a secret.
  func replace(_ text: String, with replacement: String) {
    let escaped = String(JSON.string(text).compactText.dropFirst().dropLast())
    waiting = waiting?.map { $0.replacing(escaped, with: replacement) }
    guard waiting == nil, let written = HTTPFixtures.contents(of: path),
      written.contains(escaped)
    else { return }
    let bytes = Array(written.replacing(escaped, with: replacement).utf8)
    isBroken =
      ftruncate(descriptor, 0) != 0 || lseek(descriptor, 0, SEEK_SET) != 0
      || !writeAll(bytes, to: descriptor)
  }

  func write(_ lines: [String]) {
    guard !lines.isEmpty, !isBroken else { return }
    if waiting != nil {
      waiting?.append(contentsOf: lines)
      return
    }
    let text = lines.joined(separator: "\n") + "\n"
    isBroken = !writeAll(Array(text.utf8), to: descriptor)
  }
}
