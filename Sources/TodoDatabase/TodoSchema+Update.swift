import SQLiteDatabase
import TodoModel

/// The scripts of the migrations from earlier versions. Version 4 stored issues by number and
/// position. Versions 5 to 8 stored a hash of the token for a source.
extension TodoSchema {
  package func erasure(from version: Int) -> String? {
    (5..<9).contains(version) ? Self.eraseValidators : nil
  }

  private static let eraseValidators = """
    UPDATE remote SET validator_url = NULL, validator = NULL, validator_token = NULL;
    """

  /// Checks that no other program has added a trigger to tables that a migration creates again.
  /// Dropping the tables would delete the trigger, and the check of the new schema would not find
  /// it.
  ///
  /// - Throws: `storage` if there is such a trigger.
  func checkTriggers(of connection: Connection) throws(TodoError) {
    let trigger = try Statement(
      """
      SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN ('remote', 'seen')
      """, on: connection
    ).first { row in row.text(0) }
    guard let trigger else { return }
    throw connection.failure.otherTables(
      "has a trigger \(PrintableText(trigger)) that is not ours")
  }

  static let dropValidators = """
    ALTER TABLE remote DROP COLUMN validator_url;
    ALTER TABLE remote DROP COLUMN validator;
    ALTER TABLE remote DROP COLUMN validator_token;
    """

  static let addFields = """
    ALTER TABLE todo ADD COLUMN due TEXT;
    ALTER TABLE todo ADD COLUMN labels TEXT;
    ALTER TABLE todo ADD COLUMN priority TEXT;
    \(labelTable)
    """

  /// The script that adds the details of items, and deletes the time of the last load. Therefore,
  /// the next load contains the whole list, with the details of existing items. To delete the time,
  /// its column is dropped and added again, because an `UPDATE` would run triggers of other
  /// programs before they are detected.
  static let addDetails = """
    ALTER TABLE todo ADD COLUMN source_details TEXT;
    ALTER TABLE todo ADD COLUMN effective_due TEXT;
    UPDATE todo SET effective_due = due WHERE due IS NOT NULL;
    DROP INDEX IF EXISTS todo_due;
    \(detailTable)
    DROP TRIGGER todo_counted_again;
    \(countedAgain)
    ALTER TABLE remote DROP COLUMN loaded_at;
    ALTER TABLE remote ADD COLUMN loaded_at INTEGER;
    """

  /// The script that adds the views (`RemoteView`). Older versions always loaded a whole list.
  static let addViews = """
    ALTER TABLE remote RENAME TO old_remote;
    ALTER TABLE seen RENAME TO old_seen;
    \(remoteTables)
    INSERT INTO remote (list, kind, base_url, address, path, cursor, synced_at, generation,
        finished_generation, load_next, load_page_count, load_cursor, load_started_at,
        load_ended_at, loaded_at)
      SELECT list, kind, base_url, address, path, cursor, synced_at, generation,
        finished_generation, load_next, load_page_count, load_cursor, load_started_at,
        load_ended_at, loaded_at
      FROM old_remote;
    INSERT INTO seen (list, view, generation, remote_key)
      SELECT list, '', generation, remote_key FROM old_seen;
    DROP TABLE old_remote;
    DROP TABLE old_seen;
    \(viewTable)
    """

  /// The script that adds the column `source_order`: the position of an item at its source. In
  /// older versions, this position was in the column `place`.
  static let addSourceOrder = """
    ALTER TABLE todo ADD COLUMN source_order INTEGER;
    UPDATE todo SET source_order = place WHERE remote_key IS NOT NULL AND place >= 0;
    \(sourceOrderIndex)
    """

  /// The script that adds the column `must_be_read`: whether an item must be read again.
  static let addMustBeRead = """
    ALTER TABLE todo ADD COLUMN must_be_read INTEGER NOT NULL DEFAULT 0;
    UPDATE todo SET must_be_read = 1 WHERE failure_kind = 'notFound';
    """

  /// The script that allows moves in the log of changes. In older versions, a `CHECK` constraint
  /// rejected them.
  static let addMoves = """
    ALTER TABLE change RENAME TO old_change;
    DROP INDEX change_list;
    DROP INDEX change_entry;
    DROP INDEX change_reversal;
    DROP INDEX change_removal;
    DROP INDEX change_group;
    \(changeTable)
    INSERT INTO change (sequence, list, entry, version, at, who, session, what, before, undoes,
        reversal, ordinal, byte_start, byte_end, group_start)
      SELECT sequence, list, entry, version, at, who, session, what, before, undoes, reversal,
        ordinal, byte_start, byte_end, group_start
      FROM old_change;
    DROP TABLE old_change;
    """

  /// The script that adds the groups of changes and the index of removals.
  static let addGroups = """
    ALTER TABLE change ADD COLUMN \(groupColumn);
    \(groupIndex)
    \(removalIndex)
    """

  /// The script that adds the column of markers (`ItemMarker`). In older versions, the marker of an
  /// item was the id of its todo.
  static let addMarkers = """
    ALTER TABLE outbox ADD COLUMN marker TEXT;
    \(setOldMarkers)
    """

  static let setOldMarkers = """
    UPDATE outbox SET marker = (SELECT name FROM todo WHERE todo.id = outbox.todo)
      WHERE what = 'create';
    """

  static let dropOldIndex = """
    DROP TRIGGER todo_counted_in;
    DROP TRIGGER todo_counted_out;
    DROP TRIGGER todo_counted_again;
    DROP TRIGGER note_added;
    DROP TRIGGER note_changed;
    DROP TRIGGER title_changed;
    DROP TRIGGER todo_deleted;
    DROP TABLE todo_term;
    DROP TABLE todo_text;
    DROP VIEW todo_content;
    """

  /// The script that moves the todos to the new table. References to the table `todo` stay valid,
  /// because its name is the same before and after.
  static let moveTodos = """
    INSERT INTO new_todo (id, list, name, title, is_done, version, created_at, updated_at,
        remote_key, remote_url, source_order, place, sync, is_removed)
      SELECT id, list, name, title, is_done, version, created_at, updated_at,
        CAST (origin_number AS TEXT), origin_url, source_order, coalesce(source_order, place),
        sync, is_removed
      FROM (
        SELECT *, \(RemoteItem.orderMax) - max(0, min(origin_number, \(RemoteItem.orderMax)))
          AS source_order
        FROM todo);
    DROP TABLE todo;
    ALTER TABLE new_todo RENAME TO todo;
    """

  /// The script that adds a row to the table `remote` for each GitHub list of version 4. It first
  /// writes the names of repositories in lower case, because GitHub ignores their case. A list
  /// keeps its name if another list of its profile already has the name in lower case.
  static let moveLists = """
    UPDATE OR IGNORE list SET source = lower(source)
      WHERE source LIKE 'github:%' AND source <> lower(source);
    INSERT INTO remote (list, kind, base_url, address)
      SELECT id, 'github', 'https://api.github.com', substr(source, 8) FROM list
      WHERE source LIKE 'github:%';
    """
}
