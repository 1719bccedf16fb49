import TodoModel

/// A list as a Markdown text, perhaps edited.
///
///     <!-- todo-server ann local 17 -->
///     - [ ] Water the plants ^k3f9qd
///     - [x] Pay the rent ^p2q7h4
///       By Friday, to the new account.
///     <!-- end -->
///
/// `Document(reading:)` reads any bytes, `DocumentPrinter` writes the text, and `DocumentMerge`
/// determines the changes of a saved text. Lines that are not todos become plain lines.
package struct Document: Sendable, Equatable {
  /// The first line; `nil` if the text does not begin with the heading of a document.
  package var heading: DocumentHeading?
  package var entries: [Entry] = []
  /// Whether the text has the end marker. Without it, the text may be incomplete.
  package var isWhole = false
  /// The last line, if it has no line end and the text has no end marker. This line may be
  /// incomplete.
  var half: LineSource?

  package enum Entry: Sendable, Equatable {
    /// A todo. The case is indirect, so that a document of many plain lines stays small.
    indirect case todo(DocumentLine)
    /// A line without a todo, and the blank lines before it. The last of several consecutive plain
    /// lines also has the blank lines after it.
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

  /// Whether the first line of a text ends with CR LF.
  package static func hasReturns(_ bytes: [UInt8]) -> Bool {
    let end = bytes.firstIndex(of: ASCII.newline) ?? 0
    return end > 0 && bytes[end - 1] == ASCII.carriageReturn
  }

  /// Whether the bytes are valid UTF-8.
  package static func isReadable(_ bytes: [UInt8]) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }
}

/// The first line of a document. It names the list that the document shows, and the generation of
/// the text, which is the number of a recorded version of the document.
package struct DocumentHeading: Sendable, Equatable {
  package var list: TodoListKey
  package var generation: Int64
  /// Whether a running todo-server reads the document when it is saved.
  package var isKept = true

  package init(list: TodoListKey, generation: Int64, isKept: Bool = true) {
    (self.list, self.generation, self.isKept) = (list, generation, isKept)
  }
}

/// A todo in a document: a line with a check box, and its note below.
package struct DocumentLine: Sendable, Equatable {
  /// The todo that the line was printed from; `nil` for a new line.
  package var mark: LineAnchor?
  /// The title, the note and the fields. In a conflict, the note is empty, because each side has a
  /// note of its own.
  package var content: TodoContent
  package var isConflict = false
  /// The due date as it was typed, such as `fri`, if it is relative; otherwise `nil`. The first
  /// save resolves it. On later days, it still means the same date.
  package var relativeDue: String?
  /// The bullet and the tick as they were typed.
  package var form = LineForm()
  /// Whether the line has a check box. If not, the todo keeps its done state.
  package internal(set) var hasBox = true
  /// Whether the line has the word `!escaped`. Only then, escapes such as `&#8232;` are decoded in
  /// the note, and escapes of line breaks outside ASCII are decoded in the title (see
  /// `LineBreakText`).
  package var isEscaped = false
  package var sides: [DocumentSide] = []
  /// The title as the older format reads it: in that format, the fields at the end of the line are
  /// part of the title. `nil` if the line has no fields.
  package var wholeTitle: String?
  /// The bytes of the line if the version in its mark has several digits; otherwise `nil`. The last
  /// of these digits may be text that the user typed directly after the mark.
  var source: LineSource?
  /// The title according to the older escape rule (`\` before any punctuation); `nil` if the title
  /// contains no `\`.
  package var markdownTitle: String?

  package init(
    mark: LineAnchor?, content: TodoContent, isConflict: Bool = false, sides: [DocumentSide] = []
  ) {
    (self.mark, self.content) = (mark, content)
    (self.isConflict, self.sides) = (isConflict, sides)
  }
}

/// The todo that the mark of a line names, and the version that the line shows.
package struct LineAnchor: Sendable, Hashable {
  package var id: TodoID
  /// The version that the line was printed from. A mark of the older format, `^id.version`,
  /// contains the version. For any other mark, it is `nil` until `Document.readVersions` sets it.
  package var version: Int64?
  /// Whether the store can have assigned the mark. `false` only for a mark of the older format
  /// whose ID does not have the form that IDs had at the time of that format.
  package let isAssigned: Bool

  package init(id: TodoID, version: Int64? = nil) {
    (self.id, self.version) = (id, version)
    isAssigned = version == nil || Self.looksMade(id)
  }

  /// The version of a todo that was just added.
  package static let firstVersion: Int64 = 1
}

/// The user's choice of characters at the start of a todo's line, which printing leaves unchanged:
/// `*` or `+` instead of `-`, and `X` instead of `x`.
package struct LineForm: Sendable, Hashable {
  package var bullet = UInt8(ascii: "-")
  package var tick = UInt8(ascii: "x")

  package init() {}

  static let bullets = Array("-*+".utf8)
}

/// The fixed words of the document format.
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

  /// The fixed words with which lines outside a conflict begin.
  static let ofLines =
    [headingStart, end]
    + LineForm.bullets.flatMap { bullet in
      [" [ ] ", " [x] ", " [X] "].map { [bullet] + $0.utf8 }
    }
  /// The fixed words with which lines within a conflict begin.
  static let ofSides =
    Merge.Side.allCases.flatMap { [sideStart($0, isFirst: true), sideStart($0, isFirst: false)] }
    + [sidesEnd, Array("[ ] ".utf8), Array("[x] ".utf8)]

  /// Whether a line without a line end may be the beginning of a heading or of one of `words`.
  static func isIncomplete(_ line: ArraySlice<UInt8>, of words: [[UInt8]]) -> Bool {
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
