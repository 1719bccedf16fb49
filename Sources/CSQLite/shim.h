// `sqlite3_config` and `sqlite3_db_config` are variadic, so Swift cannot call them.
#include <sqlite3.h>

/// Turns off SQLite's memory statistics, which cost a lock at each allocation.
static inline void disableMemoryStatistics(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// Makes SQLite refuse statements that write to its internal tables; 0 allows them.
static inline void setDefensive(sqlite3 *database, int isOn) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, isOn, (int *)0);
}

/// Allows or forbids functions with side effects in triggers, views and generated columns.
static inline void setTrustedSchema(sqlite3 *database, int isOn) {
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, isOn, (int *)0);
#else
  (void)database, (void)isOn;
#endif
}
