#ifndef CYARDSTICKS_READY_ROWS_H
#define CYARDSTICKS_READY_ROWS_H

#include <sqlite3.h>
#include <stddef.h>
#include <time.h>

/// A value that is ready to be bound.
typedef struct {
    int type;
    int length;
    union {
        sqlite3_int64 integer;
        double real;
        /// Offset into the arena: the arena may move while it grows.
        size_t offset;
    } value;
} cell;

/// One transaction's worth of rows in memory.
typedef struct {
    cell *cells;
    int rows;
    int columns;
    char *arena;
    size_t used;
    size_t capacity;
} ready_rows;

/// Keeps what failed with the library's message, and returns the text.
const char *ready_failure(sqlite3 *database, const char *what);

/// Reads a clock.
double ready_seconds(clockid_t clock);

/// Reads up to `limit` rows into memory. Returns 0 when something failed.
int ready_read(ready_rows *ready, sqlite3_stmt *statement, int limit);

/// Binds one value.
int ready_bind(sqlite3_stmt *insert, int parameter, const cell *cell, const ready_rows *ready);

/// Makes `INSERT INTO "table" ("a","b") VALUES (?,?)` for all columns of a statement; to be given to `sqlite3_free`.
char *ready_insert_text(const char *table, sqlite3_stmt *select);

/// Runs the schema statements of one kind (`table` or `index`) that belong to a table.
int ready_copy_schema(sqlite3 *source, sqlite3 *target, const char *kind, const char *table);

#endif
