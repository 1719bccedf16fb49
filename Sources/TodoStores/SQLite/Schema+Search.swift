import TodoModel

/// The search index.
extension Schema {
  /// Beginnings of up to so many letters are in the index themselves.
  static let prefixIndexedCountMax = 2

  /// The version that `search` makes.
  static let searchVersion = 3

  /// An index that is made for prefixes, and counts of what changed.
  ///
  /// The index keeps which todos have a word and not where (`detail = none`): that is all that a
  /// search asks. `search_title` and `search` are what the index was given in place of the text,
  /// where that is something else (`SearchFolding`). The versions of a list tell whether an order
  /// or a search that is known is still right.
  static let search = """
    ALTER TABLE list ADD COLUMN order_version INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE list ADD COLUMN text_version INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE list ADD COLUMN edit_version INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE todo ADD COLUMN search_title TEXT;
    ALTER TABLE note ADD COLUMN search TEXT;

    DROP TRIGGER todo_counted_in;
    DROP TRIGGER todo_counted_out;
    DROP TRIGGER todo_counted_again;
    DROP TRIGGER note_added;
    DROP TRIGGER note_changed;
    DROP TRIGGER title_changed;
    DROP TRIGGER todo_deleted;
    DROP TABLE todo_text;
    DROP VIEW todo_content;

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

  /// What keeps the index and the counts right, made when the index is filled.
  static let searchTriggers = """
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
    CREATE TRIGGER todo_counted_again
    AFTER UPDATE OF title, is_done, updated_at, place, is_removed ON todo BEGIN
      UPDATE list SET
        total = total + old.is_removed - new.is_removed,
        done = done + (1 - new.is_removed) * new.is_done - (1 - old.is_removed) * old.is_done,
        order_version = order_version
          + (old.place <> new.place OR old.is_removed <> new.is_removed),
        text_version = text_version + (old.title <> new.title),
        edit_version = edit_version + 1
      WHERE id = new.list;
    END;

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

extension Connection {
  /// Makes one piece of the many that the index has after a lot was added. Otherwise the next few
  /// thousand edits would do that work, each some of it.
  func joinSearchIndex() throws(TodoError) {
    try execute("INSERT INTO todo_text (todo_text) VALUES ('optimize')")
  }

  /// Gives the index of a file from before `Schema.search` what its todos have.
  func fillSearchIndex() throws(TodoError) {
    try foldAll(
      "SELECT id, title FROM todo WHERE id > ? ORDER BY id LIMIT 100",
      "UPDATE todo SET search_title = ? WHERE id = ?")
    try foldAll(
      "SELECT todo, text FROM note WHERE todo > ? ORDER BY todo LIMIT 100",
      "UPDATE note SET search = ? WHERE todo = ?")
    try execute("INSERT INTO todo_text (todo_text) VALUES ('rebuild')")
  }

  /// A few at a time: all notes at once could be more than memory holds.
  private func foldAll(_ select: String, _ update: String) throws(TodoError) {
    var last = Int64.min
    while true {
      let texts = try all(select, [.integer(last)]) { row in
        (row: row.integer(0), folded: SearchFolding.folded(row.text(1)))
      }
      guard let end = texts.last else { return }
      for text in texts {
        if let folded = text.folded { try run(update, .text(folded), .integer(text.row)) }
      }
      last = end.row
    }
  }
}
