import TodoModel

extension SQLiteStore: TodoOrdering {
  package func move(
    _ id: TodoID, to target: MoveTarget, in list: TodoListKey
  ) throws(TodoError) -> Todo {
    try move(id, in: list) { (stored, number, tables) throws(TodoError) in
      guard let other = try tables.todos.stored(target.id, in: number), !other.isRemoved else {
        throw .todoNotFound
      }
      guard id != target.id else { return nil }
      return switch target {
      case .before(let other): .above(.todo(other))
      case .after(let other): .below(.todo(other))
      }
    }
  }

  package func move(
    _ id: TodoID, _ direction: MoveDirection, among query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Todo {
    let neighbor = try neighbor(of: id, direction, among: query, in: list)
    return try move(id, in: list) { (stored, number, tables) throws(TodoError) in
      try tables.position(direction, from: stored.place, neighbor, in: number)
    }
  }

  /// Moves a todo to the position that the closure `position` returns. Does nothing if the closure
  /// returns `nil`.
  private func move(
    _ id: TodoID, in list: TodoListKey,
    _ position: (StoredTodo, Int64, TodoTables) throws(TodoError) -> EntryOrder.Position?
  ) throws(TodoError) -> Todo {
    let now = environment.now()
    return try change(list) { (tables, session) throws(TodoError) in
      guard let number = try tables.lists.knownNumber(of: list),
        let stored = try tables.todos.stored(id, in: number), !stored.isRemoved
      else { throw .todoNotFound }
      if let position = try position(stored, number, tables) {
        _ = try tables.move(stored, position, origin(in: number, session, at: now))
      }
      return try tables.todos.todo(id, in: number)
    }
  }
}

extension TodoTables {
  /// Returns the position one step up or down: past the neighboring todo, or past a heading if the
  /// heading is nearer; `nil` if the list has neither in this direction.
  fileprivate func position(
    _ direction: MoveDirection, from place: Int64, _ neighbor: TodoID?, in list: Int64
  ) throws(TodoError) -> EntryOrder.Position? {
    let next = neighbor.map { EntryID.todo($0) }
    let nextPlace = try next.flatMap { next throws(TodoError) in try order.place(of: next, in: list)
    }
    switch direction {
    case .up:
      let heading = try sections.heading(above: place, in: list)
      if let next, let nextPlace, nextPlace >= heading?.place ?? .min { return .above(next) }
      return heading.map { .above($0.entry) }
    case .down:
      let heading = try sections.heading(below: place, in: list)
      if let next, let nextPlace, nextPlace < heading?.place ?? .max { return .below(next) }
      guard let heading else { return nil }
      let end = try sections.heading(below: heading.place, in: list)
      if let next, let nextPlace, nextPlace < end?.place ?? .max { return .above(next) }
      return end.map { .above($0.entry) } ?? .last
    }
  }

  /// Moves a todo to a position, and returns `false` if the todo is already there.
  func move(
    _ stored: StoredTodo, _ position: EntryOrder.Position, _ origin: ChangeOrigin
  ) throws(TodoError) -> Bool {
    let entry = EntryID.todo(stored.todo.id)
    guard let move = try newPlace(of: entry, at: stored.place, position, in: origin.list) else {
      return false
    }
    try todos.move(stored.row, to: move.place)
    try log.record(Change(moving: stored, from: move.above), origin)
    return true
  }

  /// Moves a plain line to a position, and returns `false` if the line is already there. The move
  /// cannot be undone.
  func move(
    line: Int64, _ position: EntryOrder.Position, _ origin: ChangeOrigin
  ) throws(TodoError) -> Bool {
    guard let place = try order.place(of: .text(line), in: origin.list),
      let move = try newPlace(of: .text(line), at: place, position, in: origin.list)
    else { return false }
    try plainLines.move(line, to: move.place)
    try log.record(Change(movingLine: line), origin)
    return true
  }

  /// Returns the new place of an entry, and the entry above its old place; `nil` if the entry is
  /// already at the position.
  private func newPlace(
    of entry: EntryID, at old: Int64, _ position: EntryOrder.Position, in list: Int64
  ) throws(TodoError) -> (place: Int64, above: EntryID?)? {
    if case .above(entry) = position { return nil }
    if case .below(entry) = position { return nil }
    let above = try order.entry(above: old, in: list)
    let place = try order.place(position, in: list)
    let new = try order.entry(above: place, in: list)
    return new == above || new == entry ? nil : (place, above)
  }
}
