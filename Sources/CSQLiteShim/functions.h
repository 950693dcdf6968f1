#ifndef CSQLITE_FUNCTIONS_H
#define CSQLITE_FUNCTIONS_H

#include <sqlite3.h>

/// This function is necessary because `sqlite3_db_config` is variadic.
static inline int csqlite_db_config(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}

/// This function is necessary because `SQLITE_TRANSIENT` is a cast that Swift cannot import.
static inline sqlite3_destructor_type csqlite_transient(void) {
    return SQLITE_TRANSIENT;
}

/// This function is necessary because a file's methods are C function pointers behind two others, which Swift would have to unwrap
/// one by one. Reads bytes of a connection's file as they stand on the disk: through SQLite, since closing the file by any other way
/// would drop the locks that this process has on it (https://www.sqlite.org/howtocorrupt.html § 2.2).
static inline int csqlite_read(sqlite3 *database, void *buffer, int count, sqlite3_int64 offset, sqlite3_int64 *size) {
    sqlite3_file *file = (sqlite3_file *)0;
    *size = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK || !file || !file->pMethods) return code;
    code = file->pMethods->xFileSize(file, size);
    if (code != SQLITE_OK || *size < offset + count) return code;
    return file->pMethods->xRead(file, buffer, count, offset);
}

// Whether a connection of this or another process is changing the file of an open database.
static inline int csqlite_is_being_written(sqlite3 *database, int *isWritten) {
    sqlite3_file *file = (sqlite3_file *)0;
    *isWritten = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK || !file || !file->pMethods) return code;
    return file->pMethods->xCheckReservedLock(file, isWritten);
}

#endif
