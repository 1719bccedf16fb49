import JSONRPC
import TodoReplay

/// The examples of Protocol.md, held against the transcripts, which are replayed.
struct PageExamples {
  /// A line behind an arrow, with those that go on with it.
  struct Entry {
    var arrow: String
    var body: String

    /// Nil for a picture, and for what is not JSON.
    var message: JSON? { try? JSON(parsing: Array(body.utf8)) }

    func isExample(of other: Entry) -> Bool {
      guard arrow == other.arrow else { return false }
      guard let message, let actual = other.message else { return body == other.body }
      return TranscriptJSON.matches(actual, message)
    }
  }

  /// Each fenced block that has arrows.
  let blocks: [[Entry]]

  init(page: String) {
    blocks = page.split(separator: "\n```", omittingEmptySubsequences: false).enumerated()
      // Every other piece is between two fences; its first line says the language.
      .filter { !$0.offset.isMultiple(of: 2) && $0.element.hasPrefix("text\n") }
      .map { Self.entries(String($0.element)) }.filter { !$0.isEmpty }
  }

  static func entries(_ text: String) -> [Entry] {
    var entries: [Entry] = []
    var isOpen = false
    for line in text.split(separator: "\n") {
      let arrow = ["-->", "<--", "~~>", "<~~", "=="].first { line.hasPrefix($0) }
      if let arrow {
        isOpen = arrow != "=="
        let body = line.dropFirst(arrow.count).drop { $0 == " " }
        entries.append(Entry(arrow: arrow, body: String(body)))
      } else if isOpen, ["  ", "}", "]"].contains(where: line.hasPrefix) {
        entries[entries.count - 1].body += "\n\(line)"
      }
    }
    return entries
  }

  /// What no transcript says, in the order of the page.
  func faults(transcripts: [[Entry]]) -> [String] {
    blocks.flatMap { block -> [String] in
      let rests = transcripts.map { Self.rest(of: block, after: $0) }
      guard let shortest = rests.min(by: { $0.count < $1.count }), let entry = shortest.first
      else { return [] }
      return ["no transcript says \(entry.arrow) \(entry.body)"]
    }
  }

  /// What is left of an example when all that a transcript says in this order is taken away.
  private static func rest(of block: [Entry], after transcript: [Entry]) -> ArraySlice<Entry> {
    var rest = block[...]
    for entry in transcript {
      guard let next = rest.first else { break }
      if next.isExample(of: entry) { rest.removeFirst() }
    }
    return rest
  }

  /// Those that no example says, of a set of methods.
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
