#include "first_load.h"
#include "ready_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// The work that is measured: one transaction.
static int insert_rows(sqlite3 *target, sqlite3_stmt *insert, const ready_rows *ready) {
    if (sqlite3_exec(target, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) return 0;
    const cell *next = ready->cells;
    for (int row = 0; row < ready->rows; row++) {
        for (int column = 1; column <= ready->columns; column++, next++) {
            if (ready_bind(insert, column, next, ready) != SQLITE_OK) return 0;
        }
        if (sqlite3_step(insert) != SQLITE_DONE) return 0;
        sqlite3_reset(insert);
    }
    return sqlite3_exec(target, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

static const char *load(sqlite3 *source, sqlite3 *target, const char *table, int batch, yardstick_load *result) {
    const char *settings = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;";
    if (sqlite3_exec(target, settings, NULL, NULL, NULL) != SQLITE_OK) return ready_failure(target, "settings");
    if (!ready_copy_schema(source, target, "table", table)) return ready_failure(target, "table");

    char *select_text = sqlite3_mprintf("SELECT * FROM \"%w\" ORDER BY rowid", table);
    sqlite3_stmt *select = NULL, *insert = NULL;
    int status = sqlite3_prepare_v2(source, select_text, -1, &select, NULL);
    sqlite3_free(select_text);
    if (status != SQLITE_OK) return ready_failure(source, "select");
    char *text = ready_insert_text(table, select);
    status = sqlite3_prepare_v2(target, text, -1, &insert, NULL);
    sqlite3_free(text);
    if (status != SQLITE_OK) return ready_failure(target, "insert");

    ready_rows ready = {.columns = sqlite3_column_count(select)};
    ready.cells = malloc(sizeof(cell) * (size_t)ready.columns * (size_t)batch);
    const char *problem = ready.cells == NULL ? "out of memory" : NULL;
    while (problem == NULL) {
        if (!ready_read(&ready, select, batch)) problem = ready_failure(source, "read");
        if (problem != NULL || ready.rows == 0) break;
        double wall = ready_seconds(CLOCK_MONOTONIC), cpu = ready_seconds(CLOCK_PROCESS_CPUTIME_ID);
        if (!insert_rows(target, insert, &ready)) problem = ready_failure(target, "insert");
        result->insert_seconds += ready_seconds(CLOCK_MONOTONIC) - wall;
        result->cpu_seconds += ready_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        result->rows += ready.rows;
    }
    free(ready.cells);
    free(ready.arena);
    sqlite3_finalize(select);
    sqlite3_finalize(insert);
    if (problem != NULL) return problem;

    double wall = ready_seconds(CLOCK_MONOTONIC), cpu = ready_seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (!ready_copy_schema(source, target, "index", table)) return ready_failure(target, "index");
    result->index_seconds = ready_seconds(CLOCK_MONOTONIC) - wall;
    result->cpu_seconds += ready_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
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
        problem = ready_failure(source, "source");
    } else if (sqlite3_open_v2(target_path, &target, flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL)
               != SQLITE_OK) {
        problem = ready_failure(target, "target");
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
        problem = ready_failure(database, "open");
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
