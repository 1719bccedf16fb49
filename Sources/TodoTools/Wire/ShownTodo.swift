import JSONRPC
import TodoModel
import TodoWire

/// A todo as an assistant receives it: the requested members. Unless the whole note was requested,
/// a long note is truncated, and its full length is added.
struct ShownTodo: WrittenObject {
  let todo: Todo
  let fields: Set<TodoField>
  let noteTruncation: NoteTruncation?

  static let sample = ShownTodo(.sample, fields: [])

  init(_ todo: Todo, fields: Set<TodoField>, isNoteWhole: Bool = false) {
    var todo = todo
    let byteCount = todo.content.note.utf8.count
    let isTruncated =
      !isNoteWhole && fields.contains(.content(.note)) && todo.content.truncateNote()
    noteTruncation =
      isTruncated ? NoteTruncation(shown: todo.content.note.utf8.count, of: byteCount) : nil
    (self.todo, self.fields) = (todo, fields)
  }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    SelectedTodo(todo: todo, fields: TodoFieldSet(fields)).writeMembers(to: &members)
    members.optional("repository", todo.repository)
    members.optional("noteCut", noteTruncation)
  }

  /// The todo as one line, such as `k3f9 v4 [x] "Buy milk"`, with a second line if there is a note.
  var text: String {
    ([line] + (noteText.map { [$0] } ?? [])).joined(separator: "\n")
  }

  private var line: String {
    var words: [String] = []
    if fields.contains(.id) { words.append(shown(todo.id)) }
    if fields.contains(.version) { words.append("v\(todo.version)") }
    if fields.contains(.content(.done)) { words.append(todo.content.isDone ? "[x]" : "[ ]") }
    if fields.contains(.content(.title)) { words.append(quoted(todo.content.title)) }
    let facts = facts
    if !facts.isEmpty { words.append("(\(facts.joined(separator: ", ")))") }
    return words.joined(separator: " ")
  }

  private var noteText: String? {
    guard fields.contains(.content(.note)), !todo.content.note.isEmpty else { return nil }
    return "    note" + (noteTruncation.map { " (\($0.text))" } ?? "") + ": "
      + quoted(todo.content.note)
  }

  private var facts: [String] {
    var facts = todo.repository.map { ["repository \(quoted($0))"] } ?? []
    facts += todo.content.details { fields.contains(.content($0)) }
    if fields.contains(.section), let section = todo.section {
      facts.append("section \(quoted(section))")
    }
    if fields.contains(.updatedAt) { facts.append("updated \(todo.updatedAt)") }
    if fields.contains(.createdAt) { facts.append("created \(todo.createdAt)") }
    if fields.contains(.sync), todo.sync != .local { facts.append("sync \(todo.sync.rawValue)") }
    if fields.contains(.sourceDue), let due = todo.sourceDue { facts.append("source due \(due)") }
    if fields.contains(.source), let origin = todo.origin {
      facts += [quoted(origin.url)] + (origin.details?.facts ?? [])
    }
    if fields.contains(.sync), let failure = todo.failure {
      facts.append("refused: \(quoted(failure.message))")
    }
    return facts
  }

  /// The note of the todo; `nil` if it is truncated or was not requested.
  var shownNote: ShownNote? {
    guard fields.contains(.content(.note)), noteTruncation == nil else { return nil }
    return ShownNote(id: todo.id, version: todo.version, note: todo.content.note)
  }
}

extension Todo {
  /// The repository of the issue; `nil` in a list that contains only one repository.
  fileprivate var repository: String? { origin.flatMap { TodoOrigin.place(of: $0.key) } }
}

extension SourceDetails {
  /// Short descriptions of the details from the source, such as the assignees. The due date is not
  /// among them.
  fileprivate var facts: [String] {
    let names = assignees.isEmpty ? nil : assignees.map(quoted).joined(separator: " ")
    return [
      names.map { "assignees \($0)" }, milestone.map { "milestone \(quoted($0))" },
      comments.map { "comments \($0)" },
    ].compactMap(\.self)
  }
}

/// A short description of a changed todo: enough to identify it, and to change it again.
struct BriefTodo: WrittenObject {
  var todo: Todo

  static let sample = BriefTodo(todo: .sample)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("id", todo.id)
    for field in ContentField.inBrief { todo.content.write(field, to: &members) }
    members.required("version", todo.version)
    members.optional("repository", todo.repository)
  }

  var text: String { ShownTodo(todo, fields: ListTodos.fieldsDefault).text }
}

/// The lengths of a truncated note in bytes: the length of the shown part, and the full length.
struct NoteTruncation: WrittenObject {
  var shown: Int
  var of: Int

  init(shown: Int, of byteCount: Int) {
    self.shown = shown
    of = byteCount
  }

  static let sample = NoteTruncation(shown: 0, of: 0)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("shownBytes", shown)
    members.required("bytes", of)
  }

  var text: String { "cut: the first \(shown) of \(of) bytes" }
}

extension TodoContent {
  /// Truncates a long note.
  ///
  /// - Returns: Whether the note was truncated.
  mutating func truncateNote() -> Bool {
    guard note.utf8.count > TodoRow.previewBytesMax else { return false }
    note = TodoRow.preview(of: note) ?? ""
    return true
  }

  /// The content as one line of text, for the description of a conflict.
  var text: String {
    var parts = ["\(isDone ? "[x]" : "[ ]") \(quoted(title))"] + details { _ in true }
    if !note.isEmpty { parts.append("note \(quoted(note))") }
    return parts.joined(separator: ", ")
  }

  /// Returns the names and values of the fields that are listed after the title.
  fileprivate func details(where isWanted: (ContentField) -> Bool) -> [String] {
    ContentField.details.filter { isWanted($0) && !text(of: $0).isEmpty }
      .map { "\($0.rawValue) \(quoted(text(of: $0)))" }
  }
}

extension ContentField {
  /// The fields that a short description of a todo has.
  static let inBrief = allCases.filter { $0.traits.isBrief }
}

/// Returns an ID for use in a text. An ID with other characters than `a-z`, `0-9` and `-` is
/// quoted. Without quotes, an ID from an import or a source could imitate other text, such as the
/// line of another todo.
func shown(_ id: TodoID) -> String {
  let isPlain = id.text.utf8.allSatisfy { byte in
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
  }
  return isPlain && !id.text.isEmpty ? id.text : quoted(id.text)
}

/// Returns the text of a user as a JSON string, so that its start and end are unambiguous. Control
/// characters are escaped, because a terminal may show the text.
func quoted(_ text: String) -> String {
  var writer = JSONWriter()
  writer.string(text)
  return String(decoding: PrintableJSON.escaping(writer.finish()), as: UTF8.self)
}
