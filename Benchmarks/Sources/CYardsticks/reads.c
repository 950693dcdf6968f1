#include "reads.h"
#include "ready_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t fold(uint64_t sum, const void *bytes, int count) {
    // Reads the beginning and the end: a reader of values touches them, and need not look at every byte.
    const unsigned char *start = bytes;
    return count == 0 ? sum : (sum ^ start[0] ^ ((uint64_t)start[count - 1] << 8) ^ (uint64_t)count) * 0x100000001B3u;
}

static uint64_t read_row(sqlite3_stmt *statement, uint64_t sum) {
    int columns = sqlite3_data_count(statement);
    for (int column = 0; column < columns; column++) {
        switch (sqlite3_column_type(statement, column)) {
        case SQLITE_INTEGER: sum = sum * 31 + (uint64_t)sqlite3_column_int64(statement, column); break;
        case SQLITE_FLOAT: sum = sum * 31 + (uint64_t)(int64_t)sqlite3_column_double(statement, column); break;
        case SQLITE_TEXT: {
            const void *text = sqlite3_column_text(statement, column);
            sum = fold(sum, text, sqlite3_column_bytes(statement, column));
            break;
        }
        case SQLITE_BLOB: {
            const void *blob = sqlite3_column_blob(statement, column);
            sum = fold(sum, blob, sqlite3_column_bytes(statement, column));
            break;
        }
        default: break;
        }
    }
    return sum;
}

static const char *run(sqlite3 *database, sqlite3_stmt *statement, yardstick_reads *result) {
    int status;
    while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
        result->rows++;
        result->checksum = read_row(statement, result->checksum);
    }
    sqlite3_reset(statement);
    return status == SQLITE_DONE ? NULL : ready_failure(database, "read");
}

static const char *prepare(sqlite3 *database, const char *sql, sqlite3_stmt **statement) {
    int status = sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
    return status == SQLITE_OK ? NULL : ready_failure(database, "prepare");
}

static const char *read_all(sqlite3 *database, const char *sql, int repeats, int64_t first, int64_t step, int prepares_anew,
                            yardstick_reads *result) {
    sqlite3_stmt *statement = NULL;
    const char *problem = prepare(database, sql, &statement);
    double wall = ready_seconds(CLOCK_MONOTONIC), cpu = ready_seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int turn = 0; turn < repeats && problem == NULL; turn++) {
        if (prepares_anew) {
            sqlite3_finalize(statement);
            problem = prepare(database, sql, &statement);
            if (problem != NULL) break;
        }
        if (sqlite3_bind_parameter_count(statement) > 0) sqlite3_bind_int64(statement, 1, first + step * turn);
        problem = run(database, statement, result);
    }
    result->seconds = ready_seconds(CLOCK_MONOTONIC) - wall;
    result->cpu_seconds = ready_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    sqlite3_finalize(statement);
    return problem;
}

static const char *open_store(const char *path, sqlite3 **database) {
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READONLY;
    return sqlite3_open_v2(path, database, flags, NULL) == SQLITE_OK ? NULL : ready_failure(*database, "open");
}

static const char *read_warm(const char *path, const char *sql, int repeats, int64_t first, int64_t step, int prepares_anew,
                             yardstick_reads *result) {
    memset(result, 0, sizeof *result);
    sqlite3 *database = NULL;
    const char *problem = open_store(path, &database);
    if (problem == NULL) {
        // Reads the schema and the pages once, as a store that is in use has done.
        yardstick_reads warm;
        memset(&warm, 0, sizeof warm);
        problem = read_all(database, sql, 1, first, step, 0, &warm);
    }
    if (problem == NULL) problem = read_all(database, sql, repeats, first, step, prepares_anew, result);
    sqlite3_close(database);
    return problem;
}

const char *yardstick_read(const char *path, const char *sql, int repeats, int64_t first, int64_t step,
                           yardstick_reads *result) {
    return read_warm(path, sql, repeats, first, step, 0, result);
}

const char *yardstick_read_prepared_anew(const char *path, const char *sql, int repeats, int64_t first, int64_t step,
                                         yardstick_reads *result) {
    return read_warm(path, sql, repeats, first, step, 1, result);
}

enum { levels = 3, ids_capacity = 1 << 20, longest_id = 24 };

// Reads a level, and writes the ids of its rows as a JSON array into `ids`.
static const char *read_level(sqlite3 *database, sqlite3_stmt *statement, char *ids, yardstick_reads *result) {
    char *end = ids, *limit = ids + ids_capacity - longest_id;
    int status;
    *end++ = '[';
    while ((status = sqlite3_step(statement)) == SQLITE_ROW && end < limit) {
        result->rows++;
        result->checksum = read_row(statement, result->checksum);
        if (end > ids + 1) *end++ = ',';
        end += snprintf(end, longest_id, "%lld", (long long)sqlite3_column_int64(statement, 0));
    }
    *end++ = ']';
    *end = 0;
    sqlite3_reset(statement);
    return status == SQLITE_DONE ? NULL : ready_failure(database, "read");
}

static const char *read_levels(sqlite3 *database, sqlite3_stmt *statements[levels], char *ids, yardstick_reads *result) {
    const char *problem = NULL;
    sqlite3_exec(database, "BEGIN", NULL, NULL, NULL);
    for (int level = 0; level < levels && problem == NULL; level++) {
        if (level > 0) sqlite3_bind_text(statements[level], 1, ids, -1, SQLITE_TRANSIENT);
        problem = read_level(database, statements[level], ids, result);
    }
    sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    return problem;
}

const char *yardstick_expand(const char *path, const char *sql, const char *below, const char *bottom, int repeats,
                             yardstick_reads *result) {
    memset(result, 0, sizeof *result);
    sqlite3 *database = NULL;
    sqlite3_stmt *statements[levels] = {NULL, NULL, NULL};
    const char *texts[levels] = {sql, below, bottom};
    const char *problem = open_store(path, &database);
    char *ids = malloc(ids_capacity);
    if (problem == NULL && ids == NULL) problem = ready_failure(database, "memory");
    for (int level = 0; level < levels && problem == NULL; level++) {
        problem = prepare(database, texts[level], &statements[level]);
    }
    if (problem == NULL) {
        yardstick_reads warm;
        memset(&warm, 0, sizeof warm);
        problem = read_levels(database, statements, ids, &warm);
    }
    double wall = ready_seconds(CLOCK_MONOTONIC), cpu = ready_seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int turn = 0; turn < repeats && problem == NULL; turn++) {
        problem = read_levels(database, statements, ids, result);
    }
    result->seconds = ready_seconds(CLOCK_MONOTONIC) - wall;
    result->cpu_seconds = ready_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    for (int level = 0; level < levels; level++) sqlite3_finalize(statements[level]);
    free(ids);
    sqlite3_close(database);
    return problem;
}

const char *yardstick_prepare(const char *path, const char *sql, int repeats, yardstick_reads *result) {
    memset(result, 0, sizeof *result);
    sqlite3 *database = NULL;
    const char *problem = open_store(path, &database);
    if (problem == NULL) sqlite3_exec(database, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
    double wall = ready_seconds(CLOCK_MONOTONIC), cpu = ready_seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int turn = 0; turn < repeats && problem == NULL; turn++) {
        sqlite3_stmt *statement = NULL;
        if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) {
            problem = ready_failure(database, "prepare");
        }
        sqlite3_finalize(statement);
    }
    result->seconds = ready_seconds(CLOCK_MONOTONIC) - wall;
    result->cpu_seconds = ready_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    sqlite3_close(database);
    return problem;
}
