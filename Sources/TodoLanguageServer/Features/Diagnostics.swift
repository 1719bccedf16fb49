import JSONRPC
import TodoDocument
import TodoModel

/// The diagnostics of a document: for example conflicts, todos that the source refuses, overdue
/// todos, and lines that look like todos but are plain text.
struct Diagnostics {
  private let text: BufferText
  private let encoding: PositionEncoding
  private(set) var all: [JSON] = []

  /// The maximum size of each text of a conflict in a message, in bytes.
  private static let sideBytesMax = 2_000

  private enum Severity: Int64 {
    case error = 1
    case warning, information, hint
  }

  init(
    _ document: OpenDocument, _ details: ListDetails, _ encoding: PositionEncoding,
    on today: CivilDay
  ) {
    (text, self.encoding) = (document.text, encoding)
    guard document.isManaged else {
      recordForeign(document)
      return
    }
    let read = document.current
    if let problem = document.problem {
      add(.error, "notTaken", line: 0, "The save is not in the list yet: \(problem.message)")
    }
    if document.belongsToOtherStore {
      add(
        .warning, "otherStore", line: 0,
        "A todo-server with another store, perhaps on another machine, wrote this document. It is "
          + "left unchanged. To import its todos, replace the number in this line with 0.")
    }
    if document.hasChanges {
      add(
        .information, "changes", line: 0,
        "The list was changed elsewhere. Save, and then choose the code action “Show what is new”, "
          + "or open the file again.")
    }
    let reported = Dictionary(
      (document.contents?.todos ?? []).filter { $0.isInConflict || $0.isOverdue(on: today) }
        .map { ($0.id, $0) }
    ) { first, _ in first }
    for (index, entry) in read.document.entries.enumerated() {
      let line = text.lineNumber(at: read.places.entries[index].lowerBound)
      switch entry {
      case .todo:
        guard let id = read.todo(ofEntry: index) else {
          if document.contents?.acceptsNew == false {
            add(
              .warning, "notAdded", line: line,
              "This stays text. \(TodoError.addingRefused.message)")
          }
          continue
        }
        if let todo = reported[id] {
          if todo.isInConflict { addConflict(todo, line) }
          if todo.isOverdue(on: today), let due = todo.content.due {
            add(.information, "overdue", line: line, "This was due on \(due).")
          }
        }
        if let failure = details.failures[id] {
          add(.error, "refused", line: line, "The source refuses this todo: \(failure.message)")
        }
      case .text: break
      }
    }
    for found in read.document.textsLikeTodos {
      addUnread(found, read.places.entries[found.index])
    }
    if !read.document.isWhole {
      add(
        .information, "noEnd", line: max(0, text.lineStarts.count - 1),
        "The last line <!-- end --> is missing, so nothing that is missing counts as removed.")
    }
  }

  private mutating func recordForeign(_ document: OpenDocument) {
    if document.isTooLong, document.heading?.list == document.list {
      add(
        .warning, "tooLong", line: 0,
        "This has more than \(OpenDocument.linesMax) lines, so nothing of it is stored. Remove lines, "
          + "then save it.")
    } else if let heading = document.heading {
      let source = heading.list.isLocal ? "local" : heading.list.source
      add(
        .information, "otherList", line: 0,
        "This is the list of \(heading.list.profile), \(source). It is not edited, because todo-server "
          + "lsp was started for another one. Start it with --name and --source.")
    } else if document.wasManaged {
      add(
        .warning, "noFirstLine", line: 0,
        "The first line, <!-- todo-server … -->, is missing, so nothing is stored. Undo to "
          + "restore it.")
    }
  }

  private mutating func addConflict(_ todo: DocumentTodo, _ line: Int) {
    let sides = todo.sides.map { side in
      let whose =
        switch side.whose {
        case .mine: "Mine"
        case .theirs: "Theirs"
        }
      return "\(whose):\n\(side.content.shown.cut(to: Self.sideBytesMax))"
    }
    add(
      .warning, "conflict", line: line,
      "This was changed in two ways. Delete one text, or choose by an action.\n"
        + sides.joined(separator: "\n"))
  }

  /// Reports a line that looks like a todo but is plain text.
  private mutating func addUnread(_ found: TextLikeTodo, _ place: Range<Int>) {
    let lines = text.lineNumber(at: place.lowerBound)...text.lineNumber(at: place.upperBound)
    let line = lines.first { text.line($0).elementsEqual(found.line.utf8) }
    add(
      .hint, "notATodo", line: line ?? lines.lowerBound,
      "This stays text, and is not a todo: \(found.reason)")
  }

  private mutating func add(_ severity: Severity, _ code: String, line: Int, _ message: String) {
    let start = text.lineStarts.indices.contains(line) ? text.lineStarts[line] : 0
    let range = TextRange(start..<start + text.line(line).count, in: text, encoding)
    all.append([
      "range": range.json, "severity": .integer(severity.rawValue), "code": .string(code),
      "source": "todo-server", "message": .string(PrintableText.lines(message)),
    ])
  }
}

extension DocumentTodo {
  fileprivate var isInConflict: Bool { !sides.isEmpty }

  fileprivate func isOverdue(on today: CivilDay) -> Bool {
    !content.isDone && content.due.map { $0.day < today } ?? false
  }
}

extension TodoContent {
  /// The content as the message about a conflict shows it. The first line has the check box, the
  /// title and details such as the due date. The note follows.
  var shown: String {
    let details = ContentField.details.filter { !text(of: $0).isEmpty }
      .map { " · \($0.rawValue) \(text(of: $0))" }.joined()
    return "[\(isDone ? "x" : " ")] \(title)\(details)\(note.isEmpty ? "" : "\n\(note)")"
  }
}

extension String {
  /// Returns the string, truncated to a number of bytes and followed by `…` if it is longer.
  func cut(to bytesMax: Int) -> String {
    guard utf8.count > bytesMax else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: bytesMax)
    while end > utf8.startIndex, Byte.isContinuation(utf8[end]) { end = utf8.index(before: end) }
    return String(self[..<end]) + "…"
  }
}

extension LSPAdapter {
  /// Publishes the diagnostics of a document if they have changed.
  mutating func publish(_ number: Int) {
    guard let entry = documents[number], !entry.document.isClosed else { return }
    let state = PublishedState(
      document: entry.document.changeCount, list: details.changeCount, day: today)
    guard entry.publishedState != state else { return }
    documents[number]?.publishedState = state
    let found = Diagnostics(entry.document, details, capabilities.encoding, on: today).all
    guard entry.published ?? .array([]) != .array(found) else { return }
    documents[number]?.published = .array(found)
    publish(found, entry.uri, version: entry.document.version)
  }

  mutating func publish(_ diagnostics: [JSON], _ uri: String, version: Int64?) {
    var params: JSONObject = ["uri": .string(uri), "diagnostics": .array(diagnostics)]
    if capabilities.hasDiagnosticVersions, let version { params["version"] = .integer(version) }
    connection.notify("textDocument/publishDiagnostics", .object(params))
  }
}
