import JSONRPC
import TodoModel

/// The versions of the export format.
enum ExchangeVersion: Int64, CaseIterable {
  /// The version that contains todos only. The line of a list contains the number of its todos, and
  /// unknown members are ignored.
  case first = 1
  /// The version that also contains the log of changes, drafts, documents and the state of unsent
  /// changes. Its last line marks the end.
  case second = 2
  /// The version in which plain lines belong to the list instead of a document. They are ordered
  /// among the list's todos.
  case third = 3

  static let newest = ExchangeVersion.third

  /// Whether an unknown member is an error.
  var isStrict: Bool { self != .first }
  /// Whether the last line must mark the end of the export.
  var hasEnd: Bool { self != .first }
  /// Whether plain lines belong to a document and not to a list.
  var hasLinesOfDocuments: Bool { self == .second }
}

/// The kind of a line that is not a todo. Such a line is an object with one member, whose name is
/// the kind.
enum ExchangeSection: String, CaseIterable {
  /// A list. The following lines belong to it.
  case list
  /// A change of a todo from the log; the newest change comes first.
  case change
  /// A draft of an ended process.
  case draft
  /// The mark that identifies a todo of the list in documents.
  case mark
  /// A document of the list. The following lines belong to it.
  case document
  /// A generation (a recorded version) of the document.
  case generation
  /// The line of a todo in the document, and the generations (recorded versions) with this line.
  case line
  /// A plain line of the list, or, in version 2, of the document.
  case text
  /// The generations (recorded versions) of the document that contain a plain line.
  case span
  /// The entry that was created from a saved line.
  case saved
  /// A side of a conflict in the document.
  case side
  /// The end of the export.
  case end
}

/// A writer of the lines of an export, in chunks.
struct ExchangeWriter {
  private var bytes: [UInt8] = []
  private var lineCount: Int64 = 0
  private let write: ([UInt8]) throws(TodoError) -> Void

  /// The size from which a chunk is written, in bytes. Only the last chunk is smaller.
  private static let bytesMax = 1 << 16

  init(_ write: @escaping ([UInt8]) throws(TodoError) -> Void) { self.write = write }

  mutating func header() throws(TodoError) {
    try line([
      "format": .string(ExchangeHeader.format),
      "version": .integer(ExchangeVersion.newest.rawValue),
    ])
  }

  mutating func add(_ section: ExchangeSection, _ members: JSONObject) throws(TodoError) {
    try line([section.rawValue: .object(members)])
  }

  mutating func line(_ members: JSONObject) throws(TodoError) {
    JSON.object(members).write(to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    lineCount += 1
    if bytes.count >= Self.bytesMax { try flush() }
  }

  /// Writes the last line, which contains the number of lines before it.
  mutating func end() throws(TodoError) {
    try add(.end, ["lines": .integer(lineCount)])
    try flush()
  }

  private mutating func flush() throws(TodoError) {
    try write(PrintableJSON.escaping(bytes))
    bytes.removeAll(keepingCapacity: true)
  }
}

/// The first line of an export.
enum ExchangeHeader {
  static let format = "todo-server"

  private enum Member: String, CaseIterable {
    case format, version
  }

  /// Returns the version of the export.
  ///
  /// - Throws: `validation` if this program cannot read the export.
  static func version(_ json: JSONObject) throws(TodoError) -> ExchangeVersion {
    guard json[Member.format.rawValue]?.stringValue == format,
      let number = json[Member.version.rawValue]?.integerValue, number > 0
    else {
      throw .wrongLine(
        "Not a todo-server export: the first line must be "
          + "{\"format\":\"\(format)\",\"version\":\(ExchangeVersion.newest.rawValue)}.")
    }
    guard let version = ExchangeVersion(rawValue: number) else {
      throw .wrongLine("This export was made by a newer version of todo-server. Update it.")
    }
    _ = try ExchangeMembers<Member>(json, in: version)
    return version
  }
}

/// A list in an export: its profile and source.
struct ExchangeList {
  var key: TodoListKey
  /// The number of todos that follow. It is `nil` in versions after 1. In version 1, it is `nil` if
  /// the file was written by hand without this number.
  var count: Int64?

  init(key: TodoListKey) { self.key = key }

  private enum Member: String, CaseIterable {
    case name, source
  }

  /// The members of the list.
  var members: JSONObject {
    let source = key.isLocal ? "local" : key.source
    return [
      Member.name.rawValue: .string(key.profile), Member.source.rawValue: .string(source),
    ]
  }

  /// Parses a list.
  ///
  /// - Parameter line: The members of the whole line.
  init(_ json: JSON, line: JSONObject, in version: ExchangeVersion) throws(TodoError) {
    let members = try ExchangeMembers<Member>(json.objectValue ?? [:], in: version)
    guard let name = members[.name]?.stringValue, !name.trimmed.isEmpty else {
      throw .wrongLine("A list needs a \"name\".")
    }
    if let problem = ProfileRules.nameProblem(name) { throw .wrongLine(problem) }
    guard let kind = try? SourceKind(members[.source]?.stringValue ?? "local") else {
      throw .wrongLine("The \"source\" of a list is local or a source such as github:OWNER/REPO.")
    }
    key = TodoListKey(profile: name, source: kind.listName)
    count = version.hasEnd ? nil : line["todos"]?.integerValue
  }
}

extension TodoError {
  /// Returns the error for an invalid line; the message says what to do.
  static func wrongLine(_ message: String) -> TodoError { TodoError(.validation, message) }
}
