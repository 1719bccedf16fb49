import JSONRPC
import SQLiteDatabase
import TodoModel

/// A line of an export that describes a plain line of a list, or a part of a document. Plain lines
/// are numbered in their order, starting at 1.
enum DocumentLine {
  case document(path: String, generation: Int64)
  case generation(number: Int64, keptAt: Timestamp)
  case line(id: TodoID, span: Span, line: Line)
  case text(Text)
  case span(text: Int64, span: Span, digest: Int64)
  case saved(generation: Int64, addition: AdditionKey, entry: EntryID, at: Timestamp)
  case side(id: TodoID, digest: Int64, content: TodoContent)

  /// A range of generations (recorded versions of a document): from `since` up to, but not
  /// including, `until`.
  struct Span {
    var since: Int64
    var until: Int64?
  }

  struct Line {
    var version: Int64
    var digest: Int64
    var cutDigest: Int64
    var sides: [Int64]
  }

  struct Text {
    var number: Int64
    var text: String
    var position: Position
    var isRemoved: Bool

    enum Position {
      case order(Int64)
      /// The position in version 2 of the format: below a todo; with `nil`, above all todos.
      case below(TodoID?)
    }
  }

  /// The maximum length of the path of a document, in bytes.
  static let pathBytesMax = 1 << 14

  private enum Member: String, CaseIterable {
    case path, generation, number, keptAt, todo, since, until, version, digest, cutDigest, sides
    case text, order, below, removed, occurrence, at, content
  }

  var section: ExchangeSection {
    switch self {
    case .document: .document
    case .generation: .generation
    case .line: .line
    case .text: .text
    case .span: .span
    case .saved: .saved
    case .side: .side
    }
  }

  var members: JSONObject {
    var json = JSONObject()
    func set(_ name: Member, _ value: JSON?) { json[name.rawValue] = value }
    func set(_ span: Span) {
      set(.since, .integer(span.since))
      set(.until, span.until.map { .integer($0) })
    }
    switch self {
    case .document(let path, let generation):
      set(.path, .string(path))
      set(.generation, .integer(generation))
    case .generation(let number, let keptAt):
      set(.number, .integer(number))
      set(.keptAt, .string(keptAt.description))
    case .line(let id, let span, let line):
      set(.todo, .string(id.text))
      set(span)
      set(.version, .integer(line.version))
      set(.digest, .string(String(line.digest)))
      set(.cutDigest, .string(String(line.cutDigest)))
      if !line.sides.isEmpty { set(.sides, .array(line.sides.map { .string(String($0)) })) }
    case .text(let text):
      set(.number, .integer(text.number))
      set(.text, JSON(exchanged: text.text))
      if case .order(let order) = text.position { set(.order, .integer(order)) }
      if text.isRemoved { set(.removed, true) }
    case .span(let text, let span, let digest):
      set(.number, .integer(text))
      set(span)
      set(.digest, .string(String(digest)))
    case .saved(let generation, let addition, let entry, let at):
      set(.generation, .integer(generation))
      set(.digest, .string(String(addition.digest)))
      set(.occurrence, .integer(Int64(addition.occurrence)))
      set(.todo, entry.todoID.map { .string($0.text) })
      set(.number, entry.textNumber.map { .integer($0) })
      set(.at, .string(at.description))
    case .side(let id, let digest, let content):
      set(.todo, .string(id.text))
      set(.digest, .string(String(digest)))
      set(.content, .object(content.exchangedFields()))
    }
    return json
  }

  /// Parses a line of an export; `nil` for a kind of line (`section`) that describes neither a
  /// plain line nor a part of a document.
  ///
  /// - Throws: `validation` with the reason.
  init?(
    _ section: ExchangeSection, _ json: JSONObject, in version: ExchangeVersion
  ) throws(TodoError) {
    let members = try ExchangeMembers<Member>(json, in: version)
    func number(_ name: Member) throws(TodoError) -> Int64 {
      try members.require(name, members.number(name, 0...TodoColumns.integerMax))
    }
    func digest(_ name: Member) throws(TodoError) -> Int64 {
      try members.require(name, members.digits(name))
    }
    func todo() throws(TodoError) -> TodoID { try members.require(.todo, members.id(.todo)) }
    func span() throws(TodoError) -> Span {
      Span(
        since: try number(.since),
        until: try members.number(.until, 0...TodoColumns.integerMax))
    }
    switch section {
    case .document:
      let path = try members.require(.path, members.text(.path))
      guard (1...Self.pathBytesMax).contains(path.utf8.count),
        path.unicodeScalars.allSatisfy(\.isPrintable)
      else {
        throw .wrongLine(
          "A \"path\" has 1 to \(Self.pathBytesMax) bytes, and no control characters.")
      }
      self = .document(path: path, generation: try number(.generation))
    case .generation:
      self = .generation(
        number: try number(.number), keptAt: try members.require(.keptAt, members.time(.keptAt)))
    case .line:
      let line = Line(
        version: try number(.version), digest: try digest(.digest),
        cutDigest: try digest(.cutDigest), sides: try Self.sides(members[.sides]))
      self = .line(id: try todo(), span: try span(), line: line)
    case .text: self = .text(try Self.text(members, version))
    case .span:
      self = .span(text: try number(.number), span: try span(), digest: try digest(.digest))
    case .saved:
      let addition = AdditionKey(
        digest: try digest(.digest), occurrence: Int(clamping: try number(.occurrence)))
      let entry: EntryID
      if let id = try members.id(.todo) {
        entry = .todo(id)
      } else {
        entry = .text(try number(.number))
      }
      self = .saved(
        generation: try number(.generation), addition: addition, entry: entry,
        at: try members.require(.at, members.time(.at)))
    case .side:
      self = .side(
        id: try todo(), digest: try digest(.digest),
        content: try members.require(.content, members.content(.content)))
    case .list, .change, .draft, .mark, .end: return nil
    }
  }

  private static func text(
    _ members: ExchangeMembers<Member>, _ version: ExchangeVersion
  ) throws(TodoError) -> Text {
    let orders = -TodoColumns.integerMax...TodoColumns.integerMax
    let position: Text.Position =
      version.hasLinesOfDocuments
      ? .below(try members.id(.below))
      : .order(try members.require(.order, members.number(.order, orders)))
    return Text(
      number: try members.require(.number, members.number(.number, 0...TodoColumns.integerMax)),
      text: try members.require(.text, members.text(.text)), position: position,
      isRemoved: try members.flag(.removed) ?? false)
  }

  private static func sides(_ json: JSON?) throws(TodoError) -> [Int64] {
    guard let json else { return [] }
    let digests = json.arrayValue?.compactMap { $0.stringValue.flatMap { Int64($0) } }
    guard let digests, digests.count == json.arrayValue?.count else {
      throw .wrongLine("\"sides\" must be an array of strings of digits.")
    }
    return digests
  }
}
