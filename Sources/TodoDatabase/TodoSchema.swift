import SQLiteDatabase
import TodoModel

/// The tables of todos, their history and their search index.
package struct TodoSchema: SchemaPart {
  package init() {}

  package var scripts: [String] {
    [
      Self.listTable, Self.todoTable, Self.todoIndexes, Self.labelTable, Self.detailTable,
      Self.noteTable, Self.deliveryTable, Self.changeTable, Self.hostTable, Self.remoteTables,
      Self.viewTable, Self.discoveryTable, Self.sourceLabelTables, Self.outboxTable,
      Self.triggers, Self.searchTables, Self.searchTriggers,
    ]
  }

  package var shadowTables: [String] {
    [
      "CREATE TABLE 'todo_text_data'(id INTEGER PRIMARY KEY, block BLOB)",
      "CREATE TABLE 'todo_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID",
      "CREATE TABLE 'todo_text_config'(k PRIMARY KEY, v) WITHOUT ROWID",
    ]
  }

  /// Updates the tables of version 4 or later, and keeps all todos. An update of version 4 also
  /// rebuilds the search index, with the texts that `SearchFolding` returns. An update of a version
  /// before 10 also converts the undo history to the log of changes (see `LogUpdate`).
  package func update(from version: Int, over connection: Connection) throws(TodoError) {
    try updateTables(from: version, over: connection)
    // An update from version 4 creates the tables in their current form.
    if (5..<19).contains(version) { try connection.execute(Self.addDetails) }
    if (5..<21).contains(version) { try connection.execute(Self.addSourceOrder) }
    if (10..<21).contains(version) { try connection.execute(Self.addMoves) }
    if (5..<21).contains(version) {
      try checkTriggers(of: connection)
      try connection.execute(Self.addViews)
    }
    if version < 22 {
      try connection.execute(Self.discoveryTable)
      try connection.execute(Self.sourceLabelTables)
    }
    if (5..<23).contains(version) { try connection.execute(Self.addMustBeRead) }
    if version == 21 {
      for column in Self.addedColumns {
        try connection.execute("ALTER TABLE remote ADD COLUMN \(column)")
      }
    }
  }

  private func updateTables(
    from version: Int, over connection: Connection
  ) throws(TodoError) {
    if (5..<14).contains(version) { try connection.execute(Self.addFields) }
    if version == 10 { try connection.execute(Self.addMarkers) }
    if (10..<15).contains(version) { try connection.execute(Self.addGroups) }
    guard version < 10 else { return }
    let contents = ContentUpdate(over: connection)
    if version < 5 {
      try updateFirst(connection)
    } else {
      if version == 5 {
        try connection.execute("ALTER TABLE remote ADD COLUMN loaded_at INTEGER")
      }
      if version < 9 { try connection.execute(Self.dropValidators) }
      try contents.moveOutbox()
    }
    try contents.moveDeliveries()
    try LogUpdate(over: connection).moveHistory()
  }

  /// Updates the tables of version 4, which stored issues by number and had no tables of sources.
  private func updateFirst(_ connection: Connection) throws(TodoError) {
    for script in [
      Self.dropOldIndex, Self.todoTable.replacing("TABLE todo", with: "TABLE new_todo"),
      Self.moveTodos, Self.todoIndexes, Self.labelTable, Self.detailTable, Self.hostTable,
      Self.remoteTables, Self.viewTable, Self.outboxTable, Self.moveLists,
    ] { try connection.execute(script) }
    try SearchFolding.foldAll(over: connection)
    for script in [Self.triggers, Self.searchTables, Self.searchTriggers] {
      try connection.execute(script)
    }
    try connection.execute("INSERT INTO todo_text (todo_text) VALUES ('rebuild')")
  }

  /// Rebuilds a damaged search index from the todos. SQLite does not open a damaged index, so it is
  /// first replaced by an empty one.
  package func renew(over connection: Connection) throws(TodoError) {
    try connection.execute(
      """
      DELETE FROM todo_text_data;
      DELETE FROM todo_text_idx;
      INSERT INTO todo_text_data (id, block) VALUES (1, x''), (10, x'00000000000000');
      INSERT INTO todo_text (todo_text) VALUES ('rebuild');
      """)
  }

  /// Merges the segments of the index after many additions. Otherwise the next few thousand edits
  /// would each do a part of this work.
  static func optimizeSearchIndex(of connection: Connection) throws(TodoError) {
    try connection.execute("INSERT INTO todo_text (todo_text) VALUES ('optimize')")
  }

  private static let listTable = """
    CREATE TABLE list (
      id INTEGER PRIMARY KEY,
      profile TEXT NOT NULL,
      source TEXT NOT NULL,
      -- How many todos it has and how many of them are done, kept by triggers.
      total INTEGER NOT NULL DEFAULT 0,
      done INTEGER NOT NULL DEFAULT 0,
      -- They tell whether an order or a search that is known is still right.
      order_version INTEGER NOT NULL DEFAULT 0,
      text_version INTEGER NOT NULL DEFAULT 0,
      edit_version INTEGER NOT NULL DEFAULT 0,
      UNIQUE (profile, source)
    );
    """

  /// The script that creates the table `todo`. Notes are in another table, so that listing 100,000
  /// rows reads no note, and completing a todo does not write its note again. The column `place` is
  /// the order (see `EntryOrder`), and `generation` is the load that last listed or changed the
  /// todo.
  private static let todoTable = """
    CREATE TABLE todo (
      id INTEGER PRIMARY KEY,
      list INTEGER NOT NULL REFERENCES list (id),
      name TEXT NOT NULL,
      title TEXT NOT NULL,
      is_done INTEGER NOT NULL,
      version INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      remote_key TEXT,
      remote_url TEXT,
      remote_revision TEXT,
      generation INTEGER NOT NULL DEFAULT 0,
      place INTEGER NOT NULL,
      sync TEXT NOT NULL CHECK (sync IN ('local', 'synced', 'pending', 'conflict', 'failed')),
      failure_kind TEXT,
      failure TEXT,
      is_removed INTEGER NOT NULL DEFAULT 0,
      -- What the search index was given in place of the text, where that is something else.
      search_title TEXT,
      -- A `DueDate`, whose texts are in the order of the dates.
      due TEXT,
      -- A JSON array of texts; null for none.
      labels TEXT,
      priority TEXT,
      -- `SourceDetails` as a JSON object; null for none.
      source_details TEXT,
      -- The date in `due`, else that of the source.
      effective_due TEXT,
      -- Its place among the items of its source, see `RemoteItem.order`.
      source_order INTEGER,
      -- See `StoredTodo.mustBeRead`.
      must_be_read INTEGER NOT NULL DEFAULT 0,
      UNIQUE (list, name)
    );
    """

  private static let todoIndexes = """
    CREATE INDEX todo_order ON todo (list, place, id, is_done) WHERE is_removed = 0;
    CREATE UNIQUE INDEX todo_remote ON todo (list, remote_key) WHERE remote_key IS NOT NULL;
    CREATE INDEX todo_unsynced ON todo (list, updated_at)
      WHERE sync IN ('pending', 'conflict', 'failed');
    \(sourceOrderIndex)
    """

  /// The index that finds the todo of the next older item of a source. The todo of a new item is
  /// placed above this todo.
  static let sourceOrderIndex = """
    CREATE INDEX todo_source_order ON todo (list, source_order, place)
      WHERE source_order IS NOT NULL AND is_removed = 0;
    """

  /// The table that indexes todos by each value in their `source_details`. It also contains removed
  /// todos. Values that are texts are stored as their `LabelSet.key`.
  static let detailTable = """
    CREATE TABLE detail (
      list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      value NOT NULL,
      todo INTEGER NOT NULL REFERENCES todo (id) ON DELETE CASCADE,
      PRIMARY KEY (list, name, value, todo)
    ) WITHOUT ROWID;
    CREATE INDEX detail_todo ON detail (todo);
    """

  /// The table that indexes todos by their labels. It also contains removed todos. The column `key`
  /// is `LabelSet.key`, and `text` is the label as the todo has it.
  static let labelTable = """
    CREATE TABLE label (
      list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      todo INTEGER NOT NULL REFERENCES todo (id) ON DELETE CASCADE,
      text TEXT NOT NULL,
      PRIMARY KEY (list, key, todo)
    ) WITHOUT ROWID;
    CREATE INDEX label_todo ON label (todo);
    """

  private static let noteTable = """
    CREATE TABLE note (
      todo INTEGER PRIMARY KEY REFERENCES todo (id) ON DELETE CASCADE,
      text TEXT NOT NULL,
      search TEXT
    );
    """

  /// The table of the contents that sources have for their todos, if these differ from the local
  /// contents. A row with the side `base` contains the content on which the local edits are based.
  /// A row with the side `theirs` contains the content that the source has returned since then. The
  /// column `content` is a `ContentText`.
  static let deliveryTable = """
    CREATE TABLE delivery (
      todo INTEGER NOT NULL REFERENCES todo (id) ON DELETE CASCADE,
      side TEXT NOT NULL CHECK (side IN ('base', 'theirs')),
      content TEXT NOT NULL,
      PRIMARY KEY (todo, side)
    );
    """

  /// The log of changes (see `ChangeLog`). The column `sequence` counts the changes of all lists,
  /// and `ordinal` counts the changes of one list. The columns `byte_start` and `byte_end` count
  /// the bytes of the changes of one list, so that the size of the list's log is known without a
  /// sum. The column `entry` is an `EntryID`, `version` is the todo's version after the change, and
  /// `before` is a `ReverseDifference`. The changes that one undo reverses share `group_start`, the
  /// sequence number of the first of them. This column is null for a change without a group.
  static let changeTable = """
    CREATE TABLE change (
      sequence INTEGER PRIMARY KEY,
      list INTEGER NOT NULL REFERENCES list (id),
      entry TEXT NOT NULL,
      version INTEGER NOT NULL,
      at INTEGER NOT NULL,
      who TEXT NOT NULL CHECK (who IN ('local', 'document', 'assistant', 'source')),
      -- The open store that made the change; null for a source.
      session INTEGER,
      what TEXT NOT NULL CHECK (what IN ('add', 'edit', 'done', 'remove', 'restore', 'move')),
      before TEXT NOT NULL,
      -- The change that this one undid, or the undo that it took back.
      undoes INTEGER,
      -- How it can be reversed now.
      reversal TEXT CHECK (reversal IN ('undo', 'redo')),
      ordinal INTEGER NOT NULL,
      byte_start INTEGER NOT NULL,
      byte_end INTEGER NOT NULL,
      \(groupColumn)
    );
    CREATE INDEX change_list ON change (list);
    CREATE INDEX change_entry ON change (list, entry, version);
    CREATE INDEX change_reversal ON change (list, reversal, sequence, session)
      WHERE reversal IS NOT NULL;
    \(removalIndex)
    \(groupIndex)
    CREATE INDEX change_move ON change (list, sequence, entry) WHERE what = 'move';
    """

  static let groupColumn = "group_start INTEGER"
  static let groupIndex = """
    CREATE INDEX change_group ON change (list, group_start, reversal)
      WHERE group_start IS NOT NULL;
    """

  /// The index that finds the removals of a list by their time.
  static let removalIndex =
    "CREATE INDEX change_removal ON change (list, at) WHERE what = 'remove';"

  private static let triggers = """
    CREATE TRIGGER todo_counted_in AFTER INSERT ON todo WHEN new.is_removed = 0 BEGIN
      UPDATE list SET total = total + 1, done = done + new.is_done,
        order_version = order_version + 1
      WHERE id = new.list;
    END;
    CREATE TRIGGER todo_counted_out AFTER DELETE ON todo WHEN old.is_removed = 0 BEGIN
      UPDATE list SET total = total - 1, done = done - old.is_done,
        order_version = order_version + 1
      WHERE id = old.list;
    END;
    \(countedAgain)
    """

  static let countedAgain = """
    CREATE TRIGGER todo_counted_again
    AFTER UPDATE OF title, is_done, updated_at, place, is_removed, source_details ON todo BEGIN
      UPDATE list SET
        total = total + old.is_removed - new.is_removed,
        done = done + (1 - new.is_removed) * new.is_done - (1 - old.is_removed) * old.is_done,
        order_version = order_version
          + (old.place <> new.place OR old.is_removed <> new.is_removed),
        text_version = text_version + (old.title <> new.title),
        edit_version = edit_version + 1
      WHERE id = new.list;
    END;
    """

  // MARK: The search index

  /// The maximum length of the prefixes that the index contains.
  static let prefixIndexedCountMax = 2

  /// The tokenizer and its options. Combining marks belong to the words in which they occur.
  static let tokenizer = [
    "unicode61", "remove_diacritics", "2", "categories", "L* N* Co M* So", "separators", "¦©®°",
  ]

  /// The script that creates the search index. The index stores which todos contain a word. It does
  /// not store the positions of the word (`detail = none`), which searches do not need. For texts
  /// that `SearchFolding` changes, the index contains the folded text.
  private static let searchTables = """
    CREATE VIEW todo_content AS
      SELECT todo.id AS id, coalesce(todo.search_title, todo.title) AS title,
        coalesce(note.search, note.text) AS note
      FROM todo JOIN note ON note.todo = todo.id;
    CREATE VIRTUAL TABLE todo_text USING fts5 (
      title, note, content = 'todo_content', content_rowid = 'id', detail = none, columnsize = 0,
      prefix = '1 2',
      tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co M* So' separators '¦©®°'"
    );
    CREATE VIRTUAL TABLE todo_term USING fts5vocab (todo_text, row);
    """

  private static let searchTriggers = """
    CREATE TRIGGER note_added AFTER INSERT ON note BEGIN
      INSERT INTO todo_text (rowid, title, note)
        SELECT id, coalesce(search_title, title), coalesce(new.search, new.text)
        FROM todo WHERE id = new.todo;
    END;
    CREATE TRIGGER note_changed AFTER UPDATE OF text, search ON note BEGIN
      INSERT INTO todo_text (todo_text, rowid, title, note)
        SELECT 'delete', id, coalesce(search_title, title), coalesce(old.search, old.text)
        FROM todo WHERE id = new.todo;
      INSERT INTO todo_text (rowid, title, note)
        SELECT id, coalesce(search_title, title), coalesce(new.search, new.text)
        FROM todo WHERE id = new.todo;
      UPDATE list SET text_version = text_version + 1
        WHERE id = (SELECT list FROM todo WHERE id = new.todo);
    END;
    CREATE TRIGGER title_changed AFTER UPDATE OF title, search_title ON todo
    WHEN old.title <> new.title OR old.search_title IS NOT new.search_title BEGIN
      INSERT INTO todo_text (todo_text, rowid, title, note)
        SELECT 'delete', todo, coalesce(old.search_title, old.title), coalesce(search, text)
        FROM note WHERE todo = new.id;
      INSERT INTO todo_text (rowid, title, note)
        SELECT todo, coalesce(new.search_title, new.title), coalesce(search, text)
        FROM note WHERE todo = new.id;
    END;
    CREATE TRIGGER todo_deleted BEFORE DELETE ON todo BEGIN
      INSERT INTO todo_text (todo_text, rowid, title, note)
        SELECT 'delete', todo, coalesce(old.search_title, old.title), coalesce(search, text)
        FROM note WHERE todo = old.id;
    END;
    """
}
