extension MemoryTodoStore: AgendaReads {
  package var agenda: (any AgendaReads)? { self }

  package func agenda(_ query: AgendaQuery) throws(TodoError) -> Agenda {
    var lists: [[Todo]] = []
    for list in query.lists {
      let open = TodoQuery(text: query.filter, isDone: false, limit: .max)
      lists.append(try todos(open, in: list).elements)
    }
    return try Agenda(of: lists, query)
  }

  package func openCounts(
    of list: TodoListKey, on today: CivilDay
  ) throws(TodoError) -> OpenCounts {
    let open = try todos(TodoQuery(isDone: false, limit: .max), in: list).elements
    let days = open.compactMap(\.effectiveDue?.day)
    return OpenCounts(
      open: open.count, dueToday: days.count { $0 == today }, overdue: days.count { $0 < today })
  }
}

extension Agenda {
  /// Builds the agenda from whole lists in memory.
  ///
  /// - Parameter lists: The todos of each list, in the order of the query's lists.
  package init(of lists: [[Todo]], _ query: AgendaQuery) throws(TodoError) {
    var dated: [AgendaSection: [(due: DueDate, list: Int, todo: Todo)]] = [:]
    for (index, todos) in lists.enumerated() {
      for todo in todos where !todo.content.isDone {
        guard let due = todo.effectiveDue,
          let section = AgendaSection.allCases.first(where: {
            $0.days(on: query.today).contains(due.day)
          })
        else { continue }
        dated[section, default: []].append((due, index, todo))
      }
    }
    // The sort is stable: todos of one list with the same due date stay in the list's order.
    dated = dated.mapValues { $0.sorted { ($0.due, $0.list) < ($1.due, $1.list) } }
    self = try query.agenda(
      count: { dated[$0]?.count ?? 0 },
      forEachTodo: { section, range, body in
        for (_, list, todo) in (dated[section] ?? [])[range] {
          body(list, TodoRow(todo, hasPreview: query.includesPreviews))
        }
      })
  }
}
