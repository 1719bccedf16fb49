import TodoModel

/// A list as a Markdown text, perhaps edited.
///
///     <!-- todo-server ann local 17 -->
///     - [ ] Water the plants ^k3f9.4
///     - [x] Pay the rent ^p2q7.12
///       By Friday, to the new account.
///     <!-- end -->
///
/// `Document(reading:)` takes any bytes, `DocumentPrinter` writes the text, and `DocumentMerge`
/// says what a saved text asks of the store. What is not a todo is text, and stays.
package struct Document: Sendable, Equatable {
  /// `nil` if there is no first line of a document.
  package var heading: DocumentHeading?
  package var entries: [Entry] = []
  /// Whether the mark of the end is there: without it, the rest may not have been written yet.
  package var isWhole = false
  /// The last line, where it has no end either and so may be half of one.
  package var half: [UInt8]?

  package enum Entry: Sendable, Equatable {
    case todo(DocumentLine)
    /// One line without a todo, with the blank lines before it, and after the last of several.
    case text(String)
  }

  package init() {}

  /// Whether a text has the end marker. The search begins at the end.
  package static func hasEnd(_ bytes: [UInt8]) -> Bool {
    var end = bytes.endIndex
    while let start = bytes[..<end].lastIndex(of: UInt8(ascii: "<")) {
      let isAtStart = start == 0 || bytes[start - 1] == ASCII.newline
      let line = bytes[start...].prefix(DocumentWords.end.count)
      let next = start + line.count
      let isLine =
        next == bytes.count || bytes[next] == ASCII.newline || bytes[next] == ASCII.carriageReturn
      if isAtStart, isLine, line.elementsEqual(DocumentWords.end) { return true }
      end = start
    }
    return false
  }

  /// Whether bytes can be read at all.
  package static func isReadable(_ bytes: [UInt8]) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }
}

/// The first line: whose list it is, and which text of it.
package struct DocumentHeading: Sendable, Equatable {
  package var list: TodoListKey
  package var generation: Int64
  /// Whether a server reads the saves.
  package var isKept = true

  package init(list: TodoListKey, generation: Int64, isKept: Bool = true) {
    (self.list, self.generation, self.isKept) = (list, generation, isKept)
  }
}

/// A todo in a document: a line with a check box, and its note below.
package struct DocumentLine: Sendable, Equatable {
  /// The base of the line; `nil` for a new line.
  package var mark: LineAnchor?
  /// In a conflict the note is empty: it is in the sides.
  package var content: TodoContent
  package var isConflict = false
  /// The word of its due date, such as `fri`, if it is another date on another day. Such a word counts
  /// as the date that it is when it is first saved.
  package var relativeDue: String?
  /// Whether it has a check box. Without one, it has the tick of its todo.
  var hasBox = true
  /// Whether line breaks in it were written as references.
  package var isEscaped = false
  package var sides: [DocumentSide] = []
  /// The title as it was read before a title had fields at its end, if it has some.
  package var wholeTitle: String?
  /// The line itself, if digits may have been typed directly after its mark.
  var source: HeadSource?
  /// The title as it was read when a `\` before any punctuation was an escape, if it has one.
  package var markdownTitle: String?

  package init(
    mark: LineAnchor?, content: TodoContent, isConflict: Bool = false, sides: [DocumentSide] = []
  ) {
    (self.mark, self.content) = (mark, content)
    (self.isConflict, self.sides) = (isConflict, sides)
  }
}

/// `^id.version`, by which a line knows what it was.
package struct LineAnchor: Sendable, Hashable {
  package var id: TodoID
  package var version: Int64

  package init(id: TodoID, version: Int64) { (self.id, self.version) = (id, version) }
}

/// The words of the format.
enum DocumentWords {
  static let headingStart = Array("<!-- todo-server ".utf8)
  static let headingEnd = Array("-->".utf8)
  static let notKept =
    "(not running: what you save here is read when todo-server mirror is started again)"
  static let end = Array("<!-- end -->".utf8)
  static let conflict = Array("!conflict".utf8)
  static let escaped = Array("!escaped".utf8)
  static let indent = Array("  ".utf8)

  static func sideStart(_ side: Merge.Side, isFirst: Bool) -> [UInt8] {
    Array("\(isFirst ? "<<<" : "===") \(side.rawValue)".utf8)
  }
  static let sidesEnd = Array(">>>".utf8)

  /// The starts of lines.
  static let ofLines = [headingStart, end, Array("- [ ] ".utf8), Array("- [x] ".utf8)]
  static let ofSides =
    Merge.Side.allCases.flatMap { [sideStart($0, isFirst: true), sideStart($0, isFirst: false)] }
    + [sidesEnd, Array("[ ] ".utf8), Array("[x] ".utf8)]

  /// Whether a line is one of some words as far as it was written.
  static func isHalf(_ line: ArraySlice<UInt8>, of words: [[UInt8]]) -> Bool {
    line.starts(with: headingStart) || words.contains { $0.starts(with: line) }
  }
}

enum ASCII {
  static let tab = UInt8(ascii: "\t")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let backslash = UInt8(ascii: "\\")

  static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
  static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }
}
