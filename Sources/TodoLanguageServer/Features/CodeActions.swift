import JSONRPC
import TodoDocument
import TodoModel

/// The code actions for some lines: edits of the buffer, which take effect on save, and commands,
/// which take effect immediately.
struct CodeActions {
  private let shown: ShownDocument
  private let details: ListDetails

  init(_ shown: ShownDocument, _ details: ListDetails) {
    (self.shown, self.details) = (shown, details)
  }

  func all(lines: ClosedRange<Int>) -> JSON {
    var actions: [JSON] = []
    let todos = shown.todos.filter { $0.lines.overlaps(lines) }
    for todo in todos {
      actions += self.actions(of: todo)
      if actions.count > Self.actionsMax { break }
    }
    if todos.count == 1 { actions += planning(todos[0]) }
    actions.append(command("Undo the last change", .undo, [], kind: "source"))
    actions.append(command("Redo the last change", .redo, [], kind: "source"))
    if let edit = shown.requestedEdit {
      let title = "Show what is new"
      if shown.capabilities.hasActionLiterals {
        actions.append(self.edit(title, "source", edit.json(shown.capabilities.encoding)))
      } else if shown.capabilities.appliesEdits {
        actions.append(command(title, .refresh, [], kind: "source"))
      }
    }
    if details.hasSource {
      actions.append(command("Sync with the source now", .sync, [], kind: "source"))
    }
    return .array(actions)
  }

  /// The number of actions above which the remaining todos are skipped. A large selection contains
  /// many todos.
  private static let actionsMax = 100

  private func actions(of todo: ShownDocument.ShownTodo) -> [JSON] {
    let word = todo.line.content.isDone ? "not done" : "done"
    var actions: [JSON] = []
    // The position of the character in the check box, which every todo has.
    let box = todo.place.lowerBound + 3
    if shown.capabilities.hasActionLiterals {
      actions.append(
        edit(
          "Mark as \(word)", "refactor.rewrite",
          [shown.range(box..<box + 1).edit(todo.line.content.isDone ? " " : "x")]))
    }
    guard let id = shown.read.todo(ofEntry: todo.index),
      let known = shown.contents?.todos.first(where: { $0.id == id })
    else { return actions }
    let name = JSON.string(id.text)
    actions.append(command("Mark as \(word) at once", .toggle, [name], kind: "refactor.rewrite"))
    if !known.sides.isEmpty {
      for (title, choice) in [
        ("Keep mine", LanguageCommand.Name.keepMine), ("Take theirs", .takeTheirs),
        ("Take the merge", .takeMerge),
      ] {
        guard let content = known.chosen(choice, details.conflicts[id]) else { continue }
        if shown.capabilities.hasActionLiterals {
          actions.append(edit(title, "quickfix", [replacement(todo, known, content)]))
        }
        actions.append(
          command(
            "\(title) at once", choice,
            [.string(shown.uri), name, .integer(known.version)], kind: "quickfix"))
      }
    }
    if details.hasSource {
      actions.append(command("Open at the source", .open, [name], kind: "source"))
    }
    return actions
  }

  /// The maximum number of labels of the list that are offered for a todo.
  private static let labelsMax = 5

  /// Returns code actions that edit the due date and the labels of a todo; none if its line has no
  /// mark or is in conflict, or if the client does not support code actions that contain an edit.
  private func planning(_ todo: ShownDocument.ShownTodo) -> [JSON] {
    let line = todo.line
    guard shown.capabilities.hasActionLiterals, !line.isConflict, let id = line.mark?.id,
      let known = shown.contents?.todos.first(where: { $0.id == id })
    else { return [] }
    var changed: [(title: String, content: TodoContent)] = []
    func add(_ title: String, _ change: (inout TodoContent) -> Void) {
      var content = line.content
      change(&content)
      if content != line.content { changed.append((title, content)) }
    }
    add("Due today") { $0.due = DueDate(shown.today) }
    add("Due tomorrow") { $0.due = shown.today.adding(days: 1).map { DueDate($0) } }
    add("Remove the due date") { $0.due = nil }
    for label in line.content.labels.texts {
      add("Remove the label \(PrintableText.escaped(label))") { $0.labels.remove(label) }
    }
    let others = (shown.contents?.labels ?? []).lazy.map(\.text).filter {
      !line.content.labels.contains($0)
    }
    for label in others.prefix(Self.labelsMax) {
      add("Add the label \(PrintableText.escaped(label))") { $0.labels.insert(label) }
    }
    return changed.map { title, content in
      var new = known
      (new.content, new.sides) = (content, [])
      let head = DocumentPrinter.head(of: new, in: line.form, marks: marks)
      let edit = shown.range(shown.head(todo)).edit(String(decoding: head, as: UTF8.self))
      return self.edit(title, "refactor.rewrite", [edit])
    }
  }

  /// Returns an edit that resolves a todo's conflict. The edit replaces all lines of the todo with
  /// the lines for the chosen content.
  private func replacement(
    _ todo: ShownDocument.ShownTodo, _ known: DocumentTodo, _ content: TodoContent
  ) -> JSON {
    var chosen = known
    chosen.content = content
    chosen.sides = []
    var lines = DocumentPrinter.lines(of: chosen, in: todo.line.form, marks: marks)
    lines.removeLast()
    return shown.range(todo.place).edit(String(decoding: lines, as: UTF8.self))
  }

  private var marks: AssignedMarks { shown.contents?.marks ?? AssignedMarks() }

  private func edit(_ title: String, _ kind: String, _ edits: JSON) -> JSON {
    [
      "title": .string(title), "kind": .string(kind),
      "edit": shown.capabilities.workspaceEdit(shown.uri, version: shown.version, edits),
    ]
  }

  /// Returns a code action that runs a command, or only the command if the client does not support
  /// `CodeAction` literals.
  private func command(
    _ title: String, _ name: LanguageCommand.Name, _ arguments: [JSON], kind: String
  ) -> JSON {
    let command: JSON = [
      "title": .string(title), "command": .string(name.rawValue), "arguments": .array(arguments),
    ]
    guard shown.capabilities.hasActionLiterals else { return command }
    return ["title": .string(title), "kind": .string(kind), "command": command]
  }
}

extension DocumentTodo {
  /// Returns the content with which a command resolves the conflict of a todo; `nil` if the command
  /// resolves no conflict, or the todo is not in conflict.
  func chosen(_ name: LanguageCommand.Name, _ conflict: SourceConflict?) -> TodoContent? {
    let mine = sides.last { $0.whose == .mine }?.content
    let theirs = sides.last { $0.whose == .theirs }?.content
    switch name {
    case .keepMine: return mine
    case .takeTheirs: return theirs
    case .takeMerge:
      guard let mine, let theirs else { return nil }
      let merge = conflict.map(\.merge) ?? Merge(base: nil, mine: mine, theirs: theirs)
      return merge.proposal
    case .toggle, .undo, .redo, .open, .sync, .refresh: return nil
    }
  }
}
