#include "local_write.h"
#include "ready_rows.h"
#include "syncs.h"
#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { table_count = 3, maximum_rows = 65536 };

/// The rows of one table, and the statement that inserts them.
typedef struct {
    ready_rows ready;
    sqlite3_stmt *insert;
} written_table;

static int run(sqlite3 *database, char *text) {
    int status = text == NULL ? SQLITE_NOMEM : sqlite3_exec(database, text, NULL, NULL, NULL);
    sqlite3_free(text);
    return status == SQLITE_OK;
}

/// Makes a table with its indexes and reads the rows that will be written into it.
static const char *prepare(sqlite3 *source, sqlite3 *target, const char *table, char *query, written_table *written) {
    sqlite3_stmt *select = NULL;
    int status = query == NULL ? SQLITE_NOMEM : sqlite3_prepare_v2(source, query, -1, &select, NULL);
    sqlite3_free(query);
    if (status != SQLITE_OK) return ready_failure(source, "select");
    if (!ready_copy_schema(source, target, "table", table) || !ready_copy_schema(source, target, "index", table)) {
        return ready_failure(target, "schema");
    }
    char *text = ready_insert_text(table, select);
    status = sqlite3_prepare_v2(target, text, -1, &written->insert, NULL);
    sqlite3_free(text);
    if (status != SQLITE_OK) return ready_failure(target, "insert");

    ready_rows *ready = &written->ready;
    ready->columns = sqlite3_column_count(select);
    ready->cells = malloc(sizeof(cell) * (size_t)ready->columns * maximum_rows);
    if (ready->cells == NULL) return "out of memory";
    int worked = ready_read(ready, select, maximum_rows);
    sqlite3_finalize(select);
    return worked ? NULL : ready_failure(source, "read");
}

static int insert_row(written_table *table, int row) {
    const cell *next = table->ready.cells + (size_t)row * (size_t)table->ready.columns;
    for (int column = 1; column <= table->ready.columns; column++, next++) {
        if (ready_bind(table->insert, column, next, &table->ready) != SQLITE_OK) return 0;
    }
    int status = sqlite3_step(table->insert);
    sqlite3_reset(table->insert);
    return status == SQLITE_DONE;
}

/// The work that is measured.
static const char *write_all(sqlite3 *target, written_table *tables, yardstick_writes *result) {
    sqlite3_stmt *begin = NULL, *commit = NULL;
    sqlite3_prepare_v2(target, "BEGIN IMMEDIATE", -1, &begin, NULL);
    sqlite3_prepare_v2(target, "COMMIT", -1, &commit, NULL);
    const char *problem = NULL;
    long long syncs = yardstick_syncs(), written = yardstick_written_bytes();
    double wall = ready_seconds(CLOCK_MONOTONIC), cpu = ready_seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int row = 0; row < tables[0].ready.rows && problem == NULL; row++) {
        int worked = sqlite3_step(begin) == SQLITE_DONE;
        sqlite3_reset(begin);
        for (int table = 0; table < table_count && worked; table++) {
            if (row < tables[table].ready.rows) worked = insert_row(&tables[table], row);
        }
        worked = worked && sqlite3_step(commit) == SQLITE_DONE;
        sqlite3_reset(commit);
        if (!worked) problem = ready_failure(target, "write");
    }
    result->seconds = ready_seconds(CLOCK_MONOTONIC) - wall;
    result->cpu_seconds = ready_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    result->syncs = yardstick_syncs() - syncs;
    result->written_bytes = yardstick_written_bytes() - written;
    result->transactions = tables[0].ready.rows;
    sqlite3_finalize(begin);
    sqlite3_finalize(commit);
    return problem;
}

/// Copies the entities that were downloaded.
static const char *fill(sqlite3 *target, const char *source_path, const char *table) {
    int worked = sqlite3_busy_timeout(target, 10000) == SQLITE_OK && run(target, sqlite3_mprintf("ATTACH %Q AS s", source_path))
        && run(target, sqlite3_mprintf(
            "INSERT INTO main.\"%w\" SELECT * FROM s.\"%w\" WHERE \"$state\" & 16 = 0", table, table))
        && run(target, sqlite3_mprintf("DETACH s"));
    return worked ? NULL : ready_failure(target, "fill");
}

static const char *measure(sqlite3 *source, sqlite3 *target, const char *source_path, const char *table,
                           yardstick_writes *result) {
    // The settings of a store's file.
    const char *settings = "PRAGMA page_size=4096; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA secure_delete=FAST;"
                           "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA journal_size_limit=4194304;";
    if (sqlite3_exec(target, settings, NULL, NULL, NULL) != SQLITE_OK) return ready_failure(target, "settings");
    const char *names[table_count] = {table, "$local", "$queue"};
    char *queries[table_count] = {
        sqlite3_mprintf("SELECT * FROM \"%w\" WHERE \"$state\" & 16 ORDER BY \"$id\"", table),
        sqlite3_mprintf("SELECT * FROM \"$local\" ORDER BY \"row\""),
        sqlite3_mprintf("SELECT * FROM \"$queue\" ORDER BY \"id\""),
    };
    written_table tables[table_count];
    memset(tables, 0, sizeof tables);
    const char *problem = NULL;
    for (int index = 0; index < table_count && problem == NULL; index++) {
        problem = prepare(source, target, names[index], queries[index], &tables[index]);
    }
    if (problem == NULL) problem = fill(target, source_path, table);
    if (problem == NULL) problem = write_all(target, tables, result);
    for (int index = 0; index < table_count; index++) {
        sqlite3_finalize(tables[index].insert);
        free(tables[index].ready.cells);
        free(tables[index].ready.arena);
    }
    return problem;
}

const char *yardstick_local_writes(const char *source_path,
                                   const char *table,
                                   const char *target_path,
                                   yardstick_writes *result) {
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
        // The store that it reads may still be closing.
        sqlite3_busy_timeout(source, 10000);
        problem = measure(source, target, source_path, table, result);
    }
    sqlite3_close(target);
    sqlite3_close(source);
    return problem;
}
