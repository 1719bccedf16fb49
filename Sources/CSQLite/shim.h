// `sqlite3_config` and `sqlite3_db_config` take any number of arguments, and Swift does not see them.
#include <sqlite3.h>

/// Has SQLite keep no account of its memory, which costs a lock at each allocation.
static inline void countNoMemory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// Has SQLite refuse statements that write to its own tables; 0 allows them.
static inline void setDefensive(sqlite3 *database, int isOn) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, isOn, (int *)0);
}

/// Whether triggers, views and generated columns may use more than what can do no harm.
static inline void setTrustedSchema(sqlite3 *database, int isOn) {
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, isOn, (int *)0);
#else
  (void)database, (void)isOn;
#endif
}
