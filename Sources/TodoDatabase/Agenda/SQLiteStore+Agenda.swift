import SQLiteDatabase
import TodoModel

extension SQLiteStore: AgendaReads {
  package var agenda: (any AgendaReads)? { self }

  package func agenda(_ query: AgendaQuery) throws(TodoError) -> Agenda {
    try database.read { connection throws(TodoError) in
      try connection.tables.agenda.agenda(query) { view(of: $0) }
    }
  }

  package func openCounts(
    of list: TodoListKey, on today: CivilDay
  ) throws(TodoError) -> OpenCounts {
    try database.read { connection throws(TodoError) in
      try connection.tables.agenda.openCounts(of: list, on: today, view(of: list))
    }
  }
}
