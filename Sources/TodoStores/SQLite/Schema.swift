import TodoModel

/// The tables, as a list of steps: a file of any earlier version becomes one of the newest by the
/// steps that it has not seen. A step, once published, never changes.
enum Schema {
  /// Marks a database as ours ("todo"), so that another program's file is never written to.
  static let applicationID: Int64 = 0x746F_646F

  static let migrations = [todos, history, search, triedPasswords]

  /// The version of the schema, without changing anything. Throws `storage` for a newer one or
  /// another program's database.
  @discardableResult
  static func check(_ connection: Connection) throws(TodoError) -> Int {
    // From one moment: another process may be making the tables right now.
    try connection.snapshot { () throws(TodoError) in try version(of: connection) }
  }

  /// Brings the database up to date, and keeps a copy of what it was. Throws as `check` does.
  static func migrate(_ connection: Connection, at now: Timestamp) throws(TodoError) {
    if try check(connection) == migrations.count { return }
    try connection.change { () throws(TodoError) in
      // Another process may have done it while this one waited for its turn.
      let found = try version(of: connection)
      guard found < migrations.count else { return }
      if found > 0, let path = connection.path {
        try connection.copy(to: DatedName.free("\(path).schema-\(found)", at: now))
      }
      for step in migrations[found...] { try connection.execute(step) }
      if found < searchVersion {
        try connection.fillSearchIndex()
        try connection.execute(searchTriggers)
      }
      try connection.execute(
        """
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(migrations.count);
        """)
    }
  }

  /// Asked within a transaction.
  private static func version(of connection: Connection) throws(TodoError) -> Int {
    func number(_ sql: String) throws(TodoError) -> Int64 {
      try connection.first(sql) { row in row.integer(0) } ?? 0
    }
    let owner = try number("PRAGMA application_id")
    let version = try number("PRAGMA user_version")
    if owner != applicationID {
      let isEmpty = try number("SELECT count(*) FROM sqlite_schema") == 0
      guard owner == 0, version == 0, isEmpty else { throw connection.failure.notOurs }
    }
    guard version <= migrations.count else {
      throw connection.failure.newerSchema(version, known: migrations.count)
    }
    return max(0, Int(version))
  }

  /// Makes a damaged search index anew from the todos. SQLite refuses to open it as it is, so it
  /// first becomes an empty one.
  static func renewSearchIndex(of connection: Connection) throws(TodoError) {
    try connection.change { () throws(TodoError) in
      try connection.execute(
        """
        DELETE FROM todo_text_data;
        DELETE FROM todo_text_idx;
        INSERT INTO todo_text_data (id, block) VALUES (1, x''), (10, x'00000000000000');
        INSERT INTO todo_text (todo_text) VALUES ('rebuild');
        """)
    }
  }

  /// Lists, todos and accounts.
  ///
  /// `todo` is narrow: its notes are beside it, so that listing 100,000 rows reads no note and
  /// ticking one off does not write its note again. `place` is the order: below zero for what was
  /// added here (the newest is the smallest), the source's own position for what was loaded.
  private static let todos = """
    CREATE TABLE list (
      id INTEGER PRIMARY KEY,
      profile TEXT NOT NULL,
      source TEXT NOT NULL,
      -- How many todos it has and how many of them are done, kept by triggers.
      total INTEGER NOT NULL DEFAULT 0,
      done INTEGER NOT NULL DEFAULT 0,
      UNIQUE (profile, source)
    );
    CREATE TABLE todo (
      id INTEGER PRIMARY KEY,
      list INTEGER NOT NULL REFERENCES list (id),
      name TEXT NOT NULL,
      title TEXT NOT NULL,
      is_done INTEGER NOT NULL,
      version INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      origin_url TEXT,
      origin_number INTEGER,
      place INTEGER NOT NULL,
      sync TEXT NOT NULL CHECK (sync IN ('local', 'synced', 'pending', 'conflict')),
      is_removed INTEGER NOT NULL DEFAULT 0,
      UNIQUE (list, name)
    );
    CREATE INDEX todo_order ON todo (list, place, id, is_done) WHERE is_removed = 0;
    CREATE UNIQUE INDEX todo_origin ON todo (list, origin_number)
      WHERE origin_number IS NOT NULL;
    CREATE TABLE note (
      todo INTEGER PRIMARY KEY REFERENCES todo (id) ON DELETE CASCADE,
      text TEXT NOT NULL
    );

    CREATE TRIGGER todo_counted_in AFTER INSERT ON todo WHEN new.is_removed = 0 BEGIN
      UPDATE list SET total = total + 1, done = done + new.is_done WHERE id = new.list;
    END;
    CREATE TRIGGER todo_counted_out AFTER DELETE ON todo WHEN old.is_removed = 0 BEGIN
      UPDATE list SET total = total - 1, done = done - old.is_done WHERE id = old.list;
    END;
    CREATE TRIGGER todo_counted_again AFTER UPDATE OF is_done, is_removed ON todo
    WHEN old.is_done <> new.is_done OR old.is_removed <> new.is_removed BEGIN
      UPDATE list SET
        total = total + old.is_removed - new.is_removed,
        done = done + (1 - new.is_removed) * new.is_done - (1 - old.is_removed) * old.is_done
      WHERE id = new.list;
    END;

    -- What the source delivered, while the todo itself differs from it: 'base' is what the edit
    -- here began from, 'theirs' what the source has said since.
    CREATE TABLE delivery (
      todo INTEGER NOT NULL REFERENCES todo (id) ON DELETE CASCADE,
      side TEXT NOT NULL CHECK (side IN ('base', 'theirs')),
      title TEXT NOT NULL,
      note TEXT NOT NULL,
      is_done INTEGER NOT NULL,
      PRIMARY KEY (todo, side)
    );

    -- Earlier contents, the newest of each list. A null note is that of the next version.
    CREATE TABLE todo_version (
      list INTEGER NOT NULL REFERENCES list (id),
      sequence INTEGER NOT NULL,
      todo INTEGER NOT NULL REFERENCES todo (id) ON DELETE CASCADE,
      version INTEGER NOT NULL,
      title TEXT NOT NULL,
      note TEXT,
      is_done INTEGER NOT NULL,
      PRIMARY KEY (list, sequence)
    );
    CREATE UNIQUE INDEX todo_version_todo ON todo_version (todo, version);

    CREATE VIEW todo_content AS
      SELECT todo.id AS id, todo.title AS title, note.text AS note
      FROM todo JOIN note ON note.todo = todo.id;
    CREATE VIRTUAL TABLE todo_text USING fts5 (
      title, note, content = 'todo_content', content_rowid = 'id',
      tokenize = 'unicode61 remove_diacritics 2'
    );
    CREATE TRIGGER note_added AFTER INSERT ON note BEGIN
      INSERT INTO todo_text (rowid, title, note)
        SELECT id, title, new.text FROM todo WHERE id = new.todo;
    END;
    CREATE TRIGGER note_changed AFTER UPDATE OF text ON note BEGIN
      INSERT INTO todo_text (todo_text, rowid, title, note)
        SELECT 'delete', id, title, old.text FROM todo WHERE id = new.todo;
      INSERT INTO todo_text (rowid, title, note)
        SELECT id, title, new.text FROM todo WHERE id = new.todo;
    END;
    CREATE TRIGGER title_changed AFTER UPDATE OF title ON todo
    WHEN old.title IS NOT new.title BEGIN
      INSERT INTO todo_text (todo_text, rowid, title, note)
        SELECT 'delete', todo, old.title, text FROM note WHERE todo = new.id;
      INSERT INTO todo_text (rowid, title, note)
        SELECT todo, new.title, text FROM note WHERE todo = new.id;
    END;
    CREATE TRIGGER todo_deleted BEFORE DELETE ON todo BEGIN
      INSERT INTO todo_text (todo_text, rowid, title, note)
        SELECT 'delete', todo, old.title, text FROM note WHERE todo = old.id;
    END;

    CREATE TABLE account (
      name TEXT PRIMARY KEY,
      password_hash TEXT NOT NULL,
      created_at INTEGER NOT NULL
    );
    """

  /// What can be undone and redone.
  ///
  /// A step leads from the todo's version `here` to the content that it had at version `there`.
  /// Undoing it turns it round, and so does redoing it: then `here` and `there` change places. A
  /// version that comes back gets a new number, which takes the old one's place in every step. So
  /// a step whose `here` is not the todo's version has met somebody else's change.
  ///
  /// `turn` counts the changes, undos and redos of a list: the step with the greatest is the one
  /// to undo or redo next. `session` is the open store that took the step's last turn.
  private static let history = """
    ALTER TABLE list ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE step (
      list INTEGER NOT NULL REFERENCES list (id),
      sequence INTEGER NOT NULL,
      turn INTEGER NOT NULL,
      session INTEGER NOT NULL,
      is_undone INTEGER NOT NULL DEFAULT 0,
      name TEXT NOT NULL,
      here INTEGER NOT NULL,
      there INTEGER NOT NULL,
      -- What the todo has there; a null title or note is the one that it has here.
      is_removed INTEGER NOT NULL,
      is_done INTEGER NOT NULL,
      title TEXT,
      note TEXT,
      PRIMARY KEY (list, sequence)
    );
    CREATE INDEX step_turn ON step (list, is_undone, turn, session);
    CREATE INDEX step_todo ON step (list, name);
    """
}
