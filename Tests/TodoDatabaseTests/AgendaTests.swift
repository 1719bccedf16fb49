import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// Compares the agenda and the counts of open todos with those computed from all todos.
@Suite struct AgendaTests {
  private let lists = [TodoListKey.local, .source]
  private let today = CivilDay.sample

  private func check(_ store: SQLiteStore, _ query: AgendaQuery) throws {
    var todos: [[Todo]] = []
    for list in lists { todos.append(try store.todos(TodoQuery(limit: .max), in: list).elements) }
    let days = DayClock.fixed(today)
    let matching = try zip(lists, todos).map { list, todos in
      try LoadedTodos(todos, days: days).todos(
        TodoQuery(text: query.filter, limit: .max), in: list
      ).elements
    }
    #expect(try store.agenda(query) == Agenda(of: matching, query), "\(query.filter)")
    for (list, todos) in zip(lists, todos) {
      let days = todos.filter { !$0.content.isDone }.map(\.effectiveDue?.day)
      // The counts of a day are cached, so they are also read for another day.
      for today in [today, try #require(today.adding(days: 1))] {
        let expected = OpenCounts(
          open: days.count, dueToday: days.count { $0 == today },
          overdue: days.count { $0.map { $0 < today } ?? false })
        #expect(try store.openCounts(of: list, on: today) == expected)
      }
    }
  }

  @Test(arguments: 1...2)
  func agendaFollowsEveryChange(seed: UInt64) throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    var random = RandomTexts(seed: seed)
    for round in 0..<150 {
      let list = lists[random.below(2)]
      let ids = try store.rows(TodoQuery(), in: list).elements.map(\.id)
      switch (random.below(8), random.pick(ids)) {
      case (0, let id?): try store.remove(id, expectedVersion: nil, in: list)
      case (1, let id?): _ = try store.edit(id, TodoEdit(isDone: random.flag()), in: list)
      case (2, _?): _ = try? store.undo(in: list)
      case (3, _):
        let details = SourceDetails(due: randomDue(&random))
        try store.mergeRemote(
          [.sample(Int64(round % 5 + 1), isClosed: random.flag(), details: details)], to: .source)
      case (4, let id?), (5, let id?):
        var changes = FieldChanges()
        changes[DueField.self] = .some(randomDue(&random))
        _ = try store.edit(id, TodoEdit(checking: changes), in: list)
      default:
        _ = try store.add(NewTodo(title: "Todo \(round)"), to: list)
      }
      let query = AgendaQuery(
        lists: lists, today: today, offset: random.below(4), limit: random.pick([2, 5, .max]) ?? 5,
        filter: random.pick(["", "todo", "todo 1", "is:overdue", "-due:week", "is:done"]) ?? "")
      try check(store, query)
    }
  }

  private func randomDue(_ random: inout RandomTexts) -> DueDate? {
    guard random.below(6) > 0, let day = today.adding(days: random.below(20) - 6) else {
      return nil
    }
    return DueDate(day: day, minutes: random.flag() ? nil : random.below(1_440))
  }

  @Test func restOfASectionIsCounted() throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    for (number, list) in (0..<620).map({ ($0, lists[$0 % 2]) }) {
      var content = TodoContent(title: "Todo \(number)")
      content.due = today.adding(days: number < 560 ? -number - 1 : 30).map { DueDate($0) }
      _ = try store.add(NewTodo(content), to: list)
    }
    let agenda = try store.agenda(AgendaQuery(lists: lists, today: today))
    #expect(agenda.total == 501)
    #expect(agenda.rows.count { $0.section == .later } == 60)
    #expect(agenda.rows[440] == Agenda.Row(.overdue, .rest(120)))
    let end = try store.agenda(AgendaQuery(lists: lists, today: today, offset: 5_000, limit: 10))
    #expect((end.offset, end.rows.count) == (491, 10))
    try check(store, AgendaQuery(lists: lists, today: today, offset: 430, limit: 20))
  }
}
