/// The tables of sources: their hosts, loads, views and unsent changes.
extension TodoSchema {
  /// The limits of hosts that every server respects (`SyncJournal`).
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

  /// `remote` is where the source of a list is and how far a view of it was loaded, `seen` what an
  /// unfinished load has brought. The view of the whole list is empty, see `RemoteView.key`.
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

  /// The todos in the views of a list, and those that have left them, since version 21.
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

  /// The labels that the items of a source can have, and when they were read, since version 22.
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

  /// Requests without a known outcome. The content is a `ContentText`, and the marker that of an
  /// item to create.
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
