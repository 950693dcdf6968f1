#include "ready_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char message[512];

const char *ready_failure(sqlite3 *database, const char *what) {
    snprintf(message, sizeof message, "%s: %s", what, sqlite3_errmsg(database));
    return message;
}

double ready_seconds(clockid_t clock) {
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
int ready_read(ready_rows *ready, sqlite3_stmt *statement, int limit) {
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

int ready_bind(sqlite3_stmt *insert, int parameter, const cell *cell, const ready_rows *ready) {
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

/// Makes `INSERT INTO "table" ("a","b") VALUES (?,?)` for all columns of a statement.
char *ready_insert_text(const char *table, sqlite3_stmt *select) {
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
int ready_copy_schema(sqlite3 *source, sqlite3 *target, const char *kind, const char *table) {
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
