import TodoModel

/// The positions of the entries of a saved document.
extension DocumentSaving {
  mutating func move(
    _ entry: EntryID, _ position: LinePosition
  ) throws(TodoError) {
    var origin = origin(at: environment.now())
    let isMoved: Bool
    switch entry {
    case .todo(let id):
      guard let todo = try shown(id) else { return }
      isMoved = try tables.move(todo, stored(position), origin)
    case .text(let line):
      origin.session = nil
      isMoved = try tables.move(line: line, stored(position), origin)
    }
    if isMoved { report.movedCount += 1 }
  }

  /// The position in the list for a line of the document.
  func stored(_ position: LinePosition) -> EntryOrder.Position {
    switch position {
    case .first: .first
    case .last: .last
    case .below(let entry): .below(entry)
    case .belowAddition(let addition):
      report.entries[addition].map { .below($0) } ?? .aboveTodos
    }
  }

  /// Whether a line has the mark of a todo that a document has removed: it was cut, and pasted again.
  func isReturning(_ id: TodoID) throws(TodoError) -> Bool {
    guard generation != 0, let stored = try tables.todos.stored(id, in: list), stored.isRemoved
    else { return false }
    return try tables.log.removal(of: id, in: list) == .document
  }
}
