import TestSupport
import TodoModel

/// A user who changes lists at the same time as other users, and then undoes all own changes.
extension Simulation {
  static let undoingUser = "eve"
  private static let actionsMax = 24
  /// The maximum number of undos in a list. A list always has fewer steps to undo.
  private static let undosMax = 200

  /// The todos of one list, by their ids.
  private typealias Contents = [TodoID: TodoContent]

  /// The fields of one todo that the user has changed, and those that other users have changed.
  private struct Changes {
    var ofUser: Set<ContentField> = []
    var ofOthers: Set<ContentField> = []
    /// Whether other users have added or removed the todo.
    var isAddedOrRemoved = false
  }

  private struct UndoneList {
    let key: TodoListKey
    let before: Contents
    var changes: [TodoID: Changes] = [:]
    /// The contents after the last action of any user.
    var last: Contents
    /// The issue numbers of all todos, including those of removed todos.
    var numbers: [TodoID: Int64] = [:]
  }

  /// Undoes all changes of a session, and checks that only changes of other users remain.
  func undoAll() throws {
    let lists = scenario.lists(of: Self.undoingUser)
    guard let server = servers.first ?? nil else { return }
    record("\(Self.undoingUser) begins")
    try importTodos(into: lists)
    // The first use of a list begins its session.
    for list in lists {
      try server.show(list)
      try quiet()
    }
    var undone = try lists.map { list in
      let contents = try contents(of: list, server)
      var undone = UndoneList(key: list, before: contents, last: contents)
      try recordNumbers(of: &undone, server)
      return undone
    }
    for _ in 0...extra.below(Self.actionsMax) {
      let isOfUser = extra.happens(percent: 70)
      if isOfUser { try change(lists, server) } else { try changeByOthers(&undone, server) }
      for index in undone.indices { try noteChanges(of: &undone[index], server, isOfUser) }
    }
    for list in lists { try undoAll(in: list, server) }
    for list in undone { try check(list, server) }
  }

  private func contents(of list: TodoListKey, _ server: LoopServer) throws -> Contents {
    try server.storedTodos(in: list).reduce(into: [:]) { $0[$1.id] = $1.content }
  }

  private func change(_ lists: [TodoListKey], _ server: LoopServer) throws {
    if let list = extra.pick(lists) { try server.show(list) }
    let todos = try server.todos()
    let home = server.list.home
    do throws(TodoError) {
      switch extra.below(10) {
      case ..<3:
        let (title, line) = (ledger.newTitle(in: home), ledger.newLine(in: home))
        let todo = try server.add(NewTodo(title: title, note: line))
        record("\(Self.undoingUser) adds \(todo.id) to \(server.list.wireName)")
      case ..<4:
        let id = try server.undo()
        record("\(Self.undoingUser) undoes \(id)")
      case ..<5: try server.redo()
      case ..<6:
        guard let todo = extra.pick(todos) else { return }
        record("\(Self.undoingUser) removes \(todo.id) of \(server.list.wireName)")
        try server.remove(todo.id, expectedVersion: todo.version)
        ledger.excuse(Ledger.words(todo.content), "removed before an undo")
      default:
        guard let todo = extra.pick(todos) else { return }
        let edit = try newEdit(of: todo, in: server.list)
        let after = try server.edit(todo.id, edit)
        ledger.excuse(Ledger.words(todo.content), "edited before an undo")
        record(
          "\(Self.undoingUser) edits \(todo.id): \(todo.content.brief) -> \(after.content.brief)")
      }
    } catch {
      record("\(Self.undoingUser): \(error.kind)")
      guard [.conflict, .notFound, .nothingToUndo].contains(error.kind) else {
        throw Violation("\(Self.undoingUser) got \(error)")
      }
    }
  }

  /// Performs a change of another user at GitHub, or of another session of this user.
  private func changeByOthers(_ undone: inout [UndoneList], _ server: LoopServer) throws {
    let lists = undone.map(\.key)
    if servers.count > 1, extra.flag(), let other = servers[1], let list = extra.pick(lists) {
      try other.show(list)
      guard let todo = extra.pick(try other.todos()) else { return }
      let edit = try newEdit(of: todo, in: list)
      record("another session edits \(todo.id)")
      _ = try other.edit(todo.id, edit)
      ledger.excuse(Ledger.words(todo.content), "edited by another session")
      return
    }
    let before = repositories
    letOtherAct()
    for index in undone.indices { try noteIssues(of: &undone[index], server, since: before) }
    for list in lists {
      try server.show(list)
      server.sync()
      try quiet()
    }
  }

  private func noteChanges(
    of list: inout UndoneList, _ server: LoopServer, _ isOfUser: Bool
  ) throws {
    let contents = try contents(of: list.key, server)
    for id in Set(contents.keys).union(list.last.keys) where contents[id] != list.last[id] {
      var changes = list.changes[id] ?? Changes()
      let (old, new) = (list.last[id], contents[id])
      let fields = Set(ContentField.allCases.filter { old?[$0] != new?[$0] })
      if isOfUser {
        changes.ofUser.formUnion(fields)
      } else {
        changes.ofOthers.formUnion(fields)
        if old == nil || new == nil { changes.isAddedOrRemoved = true }
      }
      list.changes[id] = changes
    }
    list.last = contents
    try recordNumbers(of: &list, server)
  }

  private func recordNumbers(of list: inout UndoneList, _ server: LoopServer) throws {
    for todo in try server.storedTodos(in: list.key) {
      if let number = todo.origin?.number { list.numbers[todo.id] = number }
    }
  }

  /// Records which fields of issues other users have changed. The user may have changed the same
  /// fields, too.
  private func noteIssues(
    of list: inout UndoneList, _ server: LoopServer, since before: [GitHubModel]
  ) throws {
    for id in list.numbers.keys {
      guard let old = content(of: id, in: list, at: before),
        let new = content(of: id, in: list, at: repositories)
      else { continue }
      let fields = new.fields(differingFrom: old)
      if !fields.isEmpty { list.changes[id, default: Changes()].ofOthers.formUnion(fields) }
    }
  }

  /// Returns the content of a todo's issue; `nil` if the todo has none.
  private func content(
    of id: TodoID, in list: UndoneList, at repositories: [GitHubModel]
  ) -> TodoContent? {
    guard let number = list.numbers[id],
      let index = repositories.indices.first(where: { home(of: $0) == list.key.source })
    else { return nil }
    return repositories[index].issues[number]?.content
  }

  private func undoAll(in list: TodoListKey, _ server: LoopServer) throws {
    try server.show(list)
    for _ in 0..<Self.undosMax {
      do throws(TodoError) {
        let id = try server.undo()
        record("\(Self.undoingUser) undoes \(id) in \(list.wireName)")
      } catch {
        record("\(Self.undoingUser): \(error.kind) in \(list.wireName)")
        switch error.kind {
        case .nothingToUndo: return
        // The next undo skips this step.
        case .conflict, .notFound: break
        default: throw Violation("An undo of everything got \(error)")
        }
      }
    }
    throw Violation("After \(Self.undosMax) undos there are steps left.")
  }

  private func check(_ list: UndoneList, _ server: LoopServer) throws {
    let now = try contents(of: list.key, server)
    for id in Set(now.keys).union(list.before.keys).sorted(by: { $0.text < $1.text }) {
      let changes = list.changes[id] ?? Changes()
      if changes.isAddedOrRemoved { continue }
      // A todo that the user has added, and that others have changed, stays.
      if list.before[id] == nil, !changes.ofOthers.isEmpty { continue }
      let place = "\(id) of \(list.key.wireName)"
      guard let old = list.before[id] else {
        throw Violation("\(place) was added and is there after an undo of everything.")
      }
      guard let new = now[id] else {
        throw Violation("\(place) is missing after an undo of everything.")
      }
      // The undo of a change of several fields is skipped if others have changed one of these
      // fields. Labels of both are merged.
      let isSkipped = !changes.ofUser.isDisjoint(with: changes.ofOthers.subtracting([.labels]))
      for field in new.fields(differingFrom: old)
      where !isSkipped && !changes.ofOthers.contains(field) {
        throw Violation(
          "The \(field) of \(place) is \"\(new.text(of: field))\" after an undo of everything, and "
            + "was \"\(old.text(of: field))\".")
      }
      // A todo in conflict showed the user's content, and an undo can settle the conflict.
      let others = [list.last[id], content(of: id, in: list, at: repositories)]
      for field in changes.ofOthers.subtracting(changes.ofUser)
      where list.last[id] != nil && !others.contains(where: { $0?.isSame(field, as: new) ?? false })
      {
        throw Violation("The \(field) of \(place), which others have changed, was undone.")
      }
    }
  }
}

extension GitHubModelIssue {
  fileprivate var content: TodoContent {
    TodoContent(title: title, note: note, isDone: isClosed, labels: labels)
  }
}
