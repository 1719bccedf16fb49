#include <sqlite3.h>

/// Has SQLite keep no account of its memory, which costs a lock at each allocation.
static inline void countNoMemory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
