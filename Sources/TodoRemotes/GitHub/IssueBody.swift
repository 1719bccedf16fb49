import TodoModel

/// The body of an issue: the note of a todo and, below it, the marker. The marker is a hidden
/// comment that identifies the request that created the issue.
struct IssueBody: Equatable {
  var note: String
  var marker: ItemMarker?

  private static let start = "<!-- todo-server:"
  private static let end = " -->"
  /// The maximum number of characters that a marker adds to the note of a new issue.
  static let markerCharactersMax =
    2 + start.utf8.count + ItemMarker.newBytesMax + end.utf8.count

  init(note: String, marker: ItemMarker?) {
    self.note = note
    self.marker = marker
  }

  /// Parses the body of an issue. If the last line that is not blank is a marker, removes it from
  /// the note.
  init(_ text: String) {
    let bytes = Array(text.utf8)
    let last = bytes.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
    let lineStart = bytes[..<last].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = String(decoding: bytes[lineStart..<last], as: UTF8.self)
    guard line.hasPrefix(Self.start), line.hasSuffix(Self.end),
      line.utf8.count > Self.start.utf8.count + Self.end.utf8.count
    else {
      self.init(note: text, marker: nil)
      return
    }
    let marker = line.dropFirst(Self.start.utf8.count).dropLast(Self.end.utf8.count)
    guard marker.utf8.count <= ItemMarker.bytesMax, !marker.contains("-->"), !marker.contains(" ")
    else {
      self.init(note: text, marker: nil)
      return
    }
    // Removes the two line ends before the marker. A browser may have changed them to CR LF.
    var note = bytes[..<lineStart]
    for _ in 0..<2 {
      guard note.last == UInt8(ascii: "\n") else { break }
      note.removeLast()
      if note.last == UInt8(ascii: "\r") { note.removeLast() }
    }
    self.init(note: String(decoding: note, as: UTF8.self), marker: ItemMarker(String(marker)))
  }

  var text: String {
    guard let marker else { return note }
    let line = Self.start + marker.text + Self.end
    return note.isEmpty ? line : "\(note)\n\n\(line)"
  }
}
