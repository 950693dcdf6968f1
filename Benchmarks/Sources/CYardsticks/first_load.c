#include "first_load.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static char message[512];

static const char *failure(sqlite3 *database, const char *what) {
    snprintf(message, sizeof message, "%s: %s", what, sqlite3_errmsg(database));
    return message;
}

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int keep_bytes(ready_rows *ready, const void *bytes, int length, size_t *offset) {
    while (ready->used + (size_t)length > ready->capacity) {
        size_t capacity = ready->capacity == 0 ? 1 << 20 : ready->capacity * 2;
        char *arena = realloc(ready->arena, capacity);
        if (arena == NULL) return 0;
        ready->arena = arena;
        ready->capacity = capacity;
    }
    *offset = ready->used;
    if (length > 0) memcpy(ready->arena + ready->used, bytes, (size_t)length);
    ready->used += (size_t)length;
    return 1;
}

static int keep_column(ready_rows *ready, sqlite3_stmt *statement, int column, cell *cell) {
    cell->type = sqlite3_column_type(statement, column);
    switch (cell->type) {
    case SQLITE_INTEGER:
        cell->value.integer = sqlite3_column_int64(statement, column);
        return 1;
    case SQLITE_FLOAT:
        cell->value.real = sqlite3_column_double(statement, column);
        return 1;
    case SQLITE_NULL:
        return 1;
    default: {
        const void *bytes = cell->type == SQLITE_TEXT ? (const void *)sqlite3_column_text(statement, column)
                                                      : sqlite3_column_blob(statement, column);
        cell->length = sqlite3_column_bytes(statement, column);
        return keep_bytes(ready, bytes, cell->length, &cell->value.offset);
    }
    }
}

/// Reads up to `limit` rows. Returns 0 when something failed.
static int read_rows(ready_rows *ready, sqlite3_stmt *statement, int limit) {
    ready->rows = 0;
    ready->used = 0;
    while (ready->rows < limit) {
        int status = sqlite3_step(statement);
        if (status == SQLITE_DONE) return 1;
        if (status != SQLITE_ROW) return 0;
        cell *row = ready->cells + (size_t)ready->rows * (size_t)ready->columns;
        for (int column = 0; column < ready->columns; column++) {
            if (!keep_column(ready, statement, column, row + column)) return 0;
        }
        ready->rows++;
    }
    return 1;
}

static int bind_cell(sqlite3_stmt *insert, int parameter, const cell *cell, const ready_rows *ready) {
    switch (cell->type) {
    case SQLITE_INTEGER:
        return sqlite3_bind_int64(insert, parameter, cell->value.integer);
    case SQLITE_FLOAT:
        return sqlite3_bind_double(insert, parameter, cell->value.real);
    case SQLITE_TEXT:
        return sqlite3_bind_text(insert, parameter, ready->arena + cell->value.offset, cell->length, SQLITE_STATIC);
    case SQLITE_BLOB:
        return sqlite3_bind_blob(insert, parameter, ready->arena + cell->value.offset, cell->length, SQLITE_STATIC);
    default:
        return sqlite3_bind_null(insert, parameter);
    }
}

/// The work that is measured: one transaction.
static int insert_rows(sqlite3 *target, sqlite3_stmt *insert, const ready_rows *ready) {
    if (sqlite3_exec(target, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) return 0;
    const cell *next = ready->cells;
    for (int row = 0; row < ready->rows; row++) {
        for (int column = 1; column <= ready->columns; column++, next++) {
            if (bind_cell(insert, column, next, ready) != SQLITE_OK) return 0;
        }
        if (sqlite3_step(insert) != SQLITE_DONE) return 0;
        sqlite3_reset(insert);
    }
    return sqlite3_exec(target, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

/// Makes `INSERT INTO "table" ("a","b") VALUES (?,?)` for all columns of a statement.
static char *insert_text(const char *table, sqlite3_stmt *select) {
    int columns = sqlite3_column_count(select);
    char *names = sqlite3_mprintf("");
    char *marks = sqlite3_mprintf("");
    for (int column = 0; column < columns; column++) {
        const char *comma = column == 0 ? "" : ",";
        names = sqlite3_mprintf("%z%s\"%w\"", names, comma, sqlite3_column_name(select, column));
        marks = sqlite3_mprintf("%z%s?", marks, comma);
    }
    return sqlite3_mprintf("INSERT INTO \"%w\" (%z) VALUES (%z)", table, names, marks);
}

/// Runs the schema statements of one kind (`table` or `index`) that belong to a table.
static int copy_schema(sqlite3 *source, sqlite3 *target, const char *kind, const char *table) {
    sqlite3_stmt *schema = NULL;
    const char *text = "SELECT sql FROM sqlite_schema WHERE type = ?1 AND tbl_name = ?2 AND sql IS NOT NULL";
    int worked = sqlite3_prepare_v2(source, text, -1, &schema, NULL) == SQLITE_OK;
    if (worked) {
        sqlite3_bind_text(schema, 1, kind, -1, SQLITE_STATIC);
        sqlite3_bind_text(schema, 2, table, -1, SQLITE_STATIC);
        int status;
        while (worked && (status = sqlite3_step(schema)) == SQLITE_ROW) {
            const char *sql = (const char *)sqlite3_column_text(schema, 0);
            worked = sqlite3_exec(target, sql, NULL, NULL, NULL) == SQLITE_OK;
        }
    }
    sqlite3_finalize(schema);
    return worked;
}

static const char *load(sqlite3 *source, sqlite3 *target, const char *table, int batch, yardstick_load *result) {
    const char *settings = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;";
    if (sqlite3_exec(target, settings, NULL, NULL, NULL) != SQLITE_OK) return failure(target, "settings");
    if (!copy_schema(source, target, "table", table)) return failure(target, "table");

    char *select_text = sqlite3_mprintf("SELECT * FROM \"%w\" ORDER BY rowid", table);
    sqlite3_stmt *select = NULL, *insert = NULL;
    int status = sqlite3_prepare_v2(source, select_text, -1, &select, NULL);
    sqlite3_free(select_text);
    if (status != SQLITE_OK) return failure(source, "select");
    char *text = insert_text(table, select);
    status = sqlite3_prepare_v2(target, text, -1, &insert, NULL);
    sqlite3_free(text);
    if (status != SQLITE_OK) return failure(target, "insert");

    ready_rows ready = {.columns = sqlite3_column_count(select)};
    ready.cells = malloc(sizeof(cell) * (size_t)ready.columns * (size_t)batch);
    const char *problem = ready.cells == NULL ? "out of memory" : NULL;
    while (problem == NULL) {
        if (!read_rows(&ready, select, batch)) problem = failure(source, "read");
        if (problem != NULL || ready.rows == 0) break;
        double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
        if (!insert_rows(target, insert, &ready)) problem = failure(target, "insert");
        result->insert_seconds += seconds(CLOCK_MONOTONIC) - wall;
        result->cpu_seconds += seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        result->rows += ready.rows;
    }
    free(ready.cells);
    free(ready.arena);
    sqlite3_finalize(select);
    sqlite3_finalize(insert);
    if (problem != NULL) return problem;

    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (!copy_schema(source, target, "index", table)) return failure(target, "index");
    result->index_seconds = seconds(CLOCK_MONOTONIC) - wall;
    result->cpu_seconds += seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    return NULL;
}

const char *yardstick_first_load(const char *source_path,
                                 const char *table,
                                 const char *target_path,
                                 int rows_per_transaction,
                                 yardstick_load *result) {
    memset(result, 0, sizeof *result);
    sqlite3 *source = NULL, *target = NULL;
    const char *problem = NULL;
    int flags = SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(source_path, &source, flags | SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
        problem = failure(source, "source");
    } else if (sqlite3_open_v2(target_path, &target, flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL)
               != SQLITE_OK) {
        problem = failure(target, "target");
    } else {
        problem = load(source, target, table, rows_per_transaction, result);
    }
    sqlite3_close(target);
    sqlite3_close(source);
    return problem;
}

static sqlite3_int64 count_rows(sqlite3 *database, const char *table) {
    char *text = sqlite3_mprintf("SELECT count(*) FROM \"%w\"", table);
    sqlite3_stmt *statement = NULL;
    sqlite3_int64 count = -1;
    if (sqlite3_prepare_v2(database, text, -1, &statement, NULL) == SQLITE_OK
        && sqlite3_step(statement) == SQLITE_ROW) {
        count = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    sqlite3_free(text);
    return count;
}

const char *yardstick_largest_table(const char *path, char *name, int capacity) {
    sqlite3 *database = NULL;
    sqlite3_stmt *tables = NULL;
    const char *problem = NULL;
    const char *text = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0";
    sqlite3_int64 most = 0;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK
        || sqlite3_prepare_v2(database, text, -1, &tables, NULL) != SQLITE_OK) {
        problem = failure(database, "open");
    }
    while (problem == NULL && sqlite3_step(tables) == SQLITE_ROW) {
        const char *table = (const char *)sqlite3_column_text(tables, 0);
        sqlite3_int64 rows = count_rows(database, table);
        if (rows <= most) continue;
        most = rows;
        snprintf(name, (size_t)capacity, "%s", table);
    }
    if (problem == NULL && most == 0) problem = "no table has rows";
    sqlite3_finalize(tables);
    sqlite3_close(database);
    return problem;
}
