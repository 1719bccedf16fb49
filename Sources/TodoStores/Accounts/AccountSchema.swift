extension Schema {
  /// How many wrong passwords were given in a row for each account, and until when the tries that
  /// have begun are waiting, in milliseconds since 1970.
  static let triedPasswords = """
    ALTER TABLE account ADD COLUMN wrong_count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE account ADD COLUMN waiting_until INTEGER NOT NULL DEFAULT 0;
    """
}
