import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// The params of `$/progress`. As in LSP, the value begins, reports or ends the progress.
struct ProgressParams: WrittenObject {
  enum Value {
    case begin(title: String)
    case report(LoadProgress)
    case end
  }

  var token: RequestID
  var value: Value

  static let sample = ProgressParams(token: 0, value: .end)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("token", token)
    members.required("value", value)
  }
}

extension ProgressParams.Value: WrittenValue {
  static var schema: Schema {
    .anyOf([ProgressBegin.schema, ProgressReport.schema, ProgressEnd.schema], isOpen: false)
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .begin(let title): ProgressBegin(title: title).write(to: &writer)
    case .report(let progress): ProgressReport(progress: progress).write(to: &writer)
    case .end: ProgressEnd().write(to: &writer)
    }
  }
}

private struct ProgressBegin: WrittenObject {
  static let definition: SchemaDefinition? = SchemaDefinition(
    "progressBegin", "The start of a load.")
  var title: String

  static let sample = ProgressBegin(title: "")

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.constant("kind", "begin")
    members.required("title", title)
  }
}

/// A report of progress; it has a `percentage` if the number of pages is known.
private struct ProgressReport: WrittenObject {
  static let definition: SchemaDefinition? = SchemaDefinition(
    "progressReport", "The pages of a load so far.")
  var progress: LoadProgress

  static let sample = ProgressReport(progress: LoadProgress(pagesDone: 0))

  private var pages: String {
    progress.pageCount.map { "\(progress.pagesDone) of \($0)" } ?? "\(progress.pagesDone)"
  }

  private var percentage: Int? {
    progress.pageCount.map { min(100, 100 * progress.pagesDone / max(1, $0)) }
  }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.constant("kind", "report")
    members.required("message", "\(pages) pages")
    members.optional("percentage", percentage)
  }
}

private struct ProgressEnd: WrittenObject {
  static let definition: SchemaDefinition? = SchemaDefinition(
    "progressEnd", "The end of a load.")
  static let sample = ProgressEnd()

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.constant("kind", "end")
  }
}

/// The params of `todo/changed`.
struct TodoChangedParams: WrittenObject {
  var change: LoggedChange

  static let sample = TodoChangedParams(
    change: LoggedChange(
      position: 0, list: TodoListKey(profile: "", source: ""), id: TodoID(""), version: 0,
      kind: .add, author: .local))

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("list", TodoSource.wireName(of: change.list))
    members.required("id", change.id)
    members.required("version", change.version)
    members.required("what", change.kind)
    members.required("who", change.author)
  }
}

extension ChangeKind: WrittenEnumValue {
  package static var isOpen: Bool { true }
  package static var definition: SchemaDefinition? {
    SchemaDefinition("changeKind", "The kind of a change.")
  }
}

extension ChangeAuthor: WrittenEnumValue {
  package static var isOpen: Bool { true }
}

/// The params of `$/logTrace`.
struct LogTraceParams: WrittenObject {
  var message: String
  var verbose: String?

  static let sample = LogTraceParams(message: "", verbose: nil)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("message", message)
    members.optional("verbose", verbose)
  }
}

/// The params of `window/logMessage`.
struct LogMessageParams: WrittenObject {
  var level: LogLevel
  var text: String

  static let sample = LogMessageParams(level: .info, text: "")

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("type", MessageType(level))
    members.required("message", text)
  }
}

/// The numbers that LSP uses for the levels of log messages.
private enum MessageType: Int, WrittenValue, CaseIterable {
  case error = 1
  case warning, info, log

  init(_ level: LogLevel) {
    switch level {
    case .error: self = .error
    case .warning: self = .warning
    case .info: self = .info
    case .debug, .off: self = .log
    }
  }

  static var schema: Schema {
    .anyOf(allCases.map { .constant(.integer(Int64($0.rawValue))) }, isOpen: false)
  }

  func write(to writer: inout JSONWriter) { writer.integer(rawValue) }
}
