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

  /// Converts a position in the document to a position in the list.
  func stored(_ position: LinePosition) -> EntryOrder.Position {
    switch position {
    case .first: .first
    case .last: .last
    case .below(let entry): .below(entry)
    case .belowAddition(let addition):
      report.entries[addition].map { .below($0) } ?? .aboveTodos
    }
  }
}
