/// The tables of sources: their hosts, loads, views and unsent changes.
extension TodoSchema {
  /// The table of the rate limits of hosts. All servers that use the same store file respect these
  /// limits (see `SyncJournal`).
  static let hostTable = """
    CREATE TABLE host (
      url TEXT PRIMARY KEY,
      next_request_at INTEGER,
      limit_count INTEGER NOT NULL DEFAULT 0,
      next_write_at INTEGER,
      lease_owner TEXT,
      lease_until INTEGER
    ) WITHOUT ROWID;
    """

  /// The table `remote` contains the source of a list, and the progress of loading a view of the
  /// list. The table `seen` contains the items that an unfinished load has listed. In both tables,
  /// the column `view` is empty for the whole list (see `RemoteView.key`).
  static let remoteTables = """
    CREATE TABLE remote (
      list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
      view TEXT NOT NULL DEFAULT '',
      kind TEXT NOT NULL,
      base_url TEXT NOT NULL,
      -- As the source spells it.
      address TEXT NOT NULL,
      -- Where a permanent redirect led.
      path TEXT,
      cursor TEXT,
      synced_at INTEGER,
      generation INTEGER NOT NULL DEFAULT 0,
      finished_generation INTEGER NOT NULL DEFAULT 0,
      load_next TEXT,
      load_page_count INTEGER NOT NULL DEFAULT 0,
      load_cursor TEXT,
      load_started_at INTEGER,
      load_ended_at INTEGER,
      loaded_at INTEGER,
      \(accessColumns),
      PRIMARY KEY (list, view)
    );
    CREATE TABLE seen (
      list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
      view TEXT NOT NULL,
      generation INTEGER NOT NULL,
      remote_key TEXT NOT NULL,
      PRIMARY KEY (list, view, generation, remote_key)
    ) WITHOUT ROWID;
    """

  /// The columns added in version 22. `fields` contains the fields of a todo that the source
  /// stores, separated by spaces; null stands for the fields that every source stored before that
  /// version. `is_read_only` is 1 if the user may only read the list.
  static let addedColumns = ["fields TEXT", "is_read_only INTEGER NOT NULL DEFAULT 0"]
  private static let accessColumns = addedColumns.joined(separator: ",\n      ")

  /// The table of the lists that were found at hosts, for each user. It exists since version 22.
  static let discoveryTable = """
    CREATE TABLE discovered_list (
      profile TEXT NOT NULL,
      host TEXT NOT NULL,
      source TEXT NOT NULL,
      place INTEGER NOT NULL,
      title TEXT NOT NULL,
      PRIMARY KEY (profile, host, source)
    ) WITHOUT ROWID;
    """

  /// The table of the todos that are or were in a view of a list. It exists since version 21.
  static let viewTable = """
    CREATE TABLE view_todo (
      list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
      view TEXT NOT NULL,
      todo INTEGER NOT NULL REFERENCES todo (id) ON DELETE CASCADE,
      -- Null while it is in the view.
      left_at INTEGER,
      PRIMARY KEY (list, view, todo)
    ) WITHOUT ROWID;
    CREATE INDEX view_todo_todo ON view_todo (todo);
    """

  /// Two tables, which exist since version 22: the labels that the items of a source can have, and
  /// the time at which these were read.
  static let sourceLabelTables = """
    CREATE TABLE source_label (
      list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (list, key)
    ) WITHOUT ROWID;
    CREATE TABLE source_label_read (
      list INTEGER PRIMARY KEY REFERENCES list (id) ON DELETE CASCADE,
      read_at INTEGER NOT NULL
    );
    """

  /// The table of the requests without a known outcome. The column `content` is a `ContentText`;
  /// `marker` is the marker of the item that a request creates.
  static let outboxTable = """
    CREATE TABLE outbox (
      todo INTEGER PRIMARY KEY REFERENCES todo (id) ON DELETE CASCADE,
      what TEXT NOT NULL CHECK (what IN ('create', 'change', 'close')),
      sent_at INTEGER NOT NULL,
      content TEXT NOT NULL,
      marker TEXT
    );
    """
}
