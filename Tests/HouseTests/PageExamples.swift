import JSONRPC
import TodoReplay

/// The examples of a page, such as Protocol.md. The tests compare them with the transcripts that
/// are replayed.
struct PageExamples {
  /// An entry of an example: the text after an arrow, with its continuation lines.
  struct Entry {
    let arrow: String
    let body: String
    /// The message; `nil` for a screen as text, and for other text that is not JSON.
    let message: JSON?

    init(arrow: String, body: String) {
      (self.arrow, self.body) = (arrow, body)
      message = arrow == "==" ? nil : try? JSON(parsing: Array(body.utf8))
    }

    func isExample(of other: Entry) -> Bool {
      guard arrow == other.arrow else { return false }
      guard let message, let actual = other.message else { return body == other.body }
      return TranscriptJSON.matches(actual, message)
    }
  }

  /// The fenced blocks that contain arrows.
  let blocks: [[Entry]]

  init(page: String) {
    blocks = page.split(separator: "\n```", omittingEmptySubsequences: false).enumerated()
      // Every other piece is between two fences; its first line is the language.
      .filter { !$0.offset.isMultiple(of: 2) && $0.element.hasPrefix("text\n") }
      .map { Self.entries(String($0.element)) }.filter { !$0.isEmpty }
  }

  static func entries(_ text: String) -> [Entry] {
    var entries: [(arrow: String, body: String)] = []
    var isOpen = false
    for line in text.split(separator: "\n") {
      let arrow = ["-->", "<--", "~~>", "<~~", "=="].first { line.hasPrefix($0) }
      if let arrow {
        isOpen = arrow != "=="
        let body = line.dropFirst(arrow.count).drop { $0 == " " }
        entries.append((arrow, String(body)))
      } else if isOpen, ["  ", "}", "]"].contains(where: line.hasPrefix) {
        entries[entries.count - 1].body += "\n\(line)"
      }
    }
    return entries.map { Entry(arrow: $0.arrow, body: $0.body) }
  }

  /// Returns a message for each example that is not in any transcript, in the order of the page. A
  /// transcript may have other entries between those of the example.
  func faults(transcripts: [[Entry]]) -> [String] {
    blocks.flatMap { block -> [String] in
      let rests = transcripts.map { Self.rest(of: block, after: $0) }
      guard let shortest = rests.min(by: { $0.count < $1.count }), let entry = shortest.first
      else { return [] }
      return ["no transcript says \(entry.arrow) \(entry.body)"]
    }
  }

  /// Skips the first entries of an example, as far as a transcript contains them in the same order,
  /// and returns the other entries.
  private static func rest(of block: [Entry], after transcript: [Entry]) -> ArraySlice<Entry> {
    var rest = block[...]
    for entry in transcript {
      guard let next = rest.first else { break }
      if next.isExample(of: entry) { rest.removeFirst() }
    }
    return rest
  }

  /// Returns the methods that no example contains.
  func missing(_ methods: [String], arrow: String) -> [String] {
    let said = Set(
      blocks.joined().filter { $0.arrow == arrow }.flatMap { entry -> [String] in
        if entry.body.hasPrefix("render ") { return ["workflow/render"] }
        let message = entry.message
        return (message?.arrayValue ?? [message ?? .null]).compactMap { $0["method"]?.stringValue }
      })
    return methods.filter { !said.contains($0) }
  }
}
