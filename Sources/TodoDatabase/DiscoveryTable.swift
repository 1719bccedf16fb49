import SQLiteDatabase
import TodoModel

/// The table of the lists that were found at hosts, by user and host.
final class DiscoveryTable {
  private unowned let connection: Connection
  private lazy var find = Statement(
    """
    SELECT source, title FROM discovered_list WHERE profile = ? AND host = ? ORDER BY place
    """, on: connection)
  private lazy var add = Statement(
    """
    INSERT INTO discovered_list (profile, host, source, place, title) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING
    """, on: connection)
  private lazy var clear = Statement(
    "DELETE FROM discovered_list WHERE profile = ? AND host = ?", on: connection)

  init(over connection: Connection) { self.connection = connection }

  func lists(at host: TodoListKey) throws(TodoError) -> [DiscoveredList] {
    try find.all(.text(host.profile), .text(host.source)) { row in
      DiscoveredList(source: row.text(0), title: row.text(1))
    }
  }

  func replace(with lists: [DiscoveredList], at host: TodoListKey) throws(TodoError) {
    try clear.run(.text(host.profile), .text(host.source))
    for (place, list) in lists.enumerated() {
      try add.run(
        .text(host.profile), .text(host.source), .text(list.source), .integer(Int64(place)),
        .text(list.title))
    }
  }
}

/// The storage of the lists that were found at hosts. It also contains, for each list, whether the
/// user may only read it.
extension SQLiteStore {
  package func discoveredLists(at host: TodoListKey) throws(TodoError) -> [DiscoveredList] {
    try database.read { connection throws(TodoError) in
      try connection.tables.discoveries.lists(at: host)
    }
  }

  package func record(_ lists: [DiscoveredList], at host: TodoListKey) throws(TodoError) {
    let known = try discoveredLists(at: host)
    var lists = lists
    for list in known where !lists.contains(where: { $0.source == list.source }) {
      let key = TodoListKey(profile: host.profile, source: list.source)
      if try counts(of: key) != SyncCounts() { lists.append(list) }
    }
    guard lists != known else { return }
    try database.change { connection throws(TodoError) in
      try connection.tables.discoveries.replace(with: lists, at: host)
    }
  }

  package func record(isReadOnly: Bool, of list: TodoListKey) throws(TodoError) {
    try database.change { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return }
      try tables.remotes.record(isReadOnly: isReadOnly, of: number)
      try tables.lists.recordEdit(in: number)
    }
  }

  package func isReadOnly(_ list: TodoListKey) throws(TodoError) -> Bool {
    guard !list.isLocal else { return false }
    return try database.read { connection throws(TodoError) in
      try connection.tables.isReadOnly(list)
    }
  }
}

extension TodoTables {
  fileprivate func isReadOnly(_ list: TodoListKey) throws(TodoError) -> Bool {
    guard !list.isLocal, let number = try lists.knownNumber(of: list) else { return false }
    return try remotes.isReadOnly(number)
  }

  /// Checks that the user may change a list.
  ///
  /// - Throws: `forbidden` if the user may only read the list at its source.
  func checkIsWritable(_ list: TodoListKey) throws(TodoError) {
    if try isReadOnly(list) { throw .readOnlyList }
  }
}
