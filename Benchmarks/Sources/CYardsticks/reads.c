#include "reads.h"
#include "ready_rows.h"

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

static const char *read_all(sqlite3 *database, const char *sql, int repeats, int64_t first, int64_t step,
                            yardstick_reads *result) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) {
        return ready_failure(database, "prepare");
    }
    double wall = ready_seconds(CLOCK_MONOTONIC), cpu = ready_seconds(CLOCK_PROCESS_CPUTIME_ID);
    const char *problem = NULL;
    for (int turn = 0; turn < repeats && problem == NULL; turn++) {
        // A transaction of its own, as every answer of a store has.
        sqlite3_exec(database, "BEGIN", NULL, NULL, NULL);
        if (sqlite3_bind_parameter_count(statement) > 0) sqlite3_bind_int64(statement, 1, first + step * turn);
        int status;
        while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
            result->rows++;
            result->checksum = read_row(statement, result->checksum);
        }
        if (status != SQLITE_DONE) problem = ready_failure(database, "read");
        sqlite3_reset(statement);
        sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
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

const char *yardstick_read(const char *path, const char *sql, int repeats, int64_t first, int64_t step,
                           yardstick_reads *result) {
    memset(result, 0, sizeof *result);
    sqlite3 *database = NULL;
    const char *problem = open_store(path, &database);
    if (problem == NULL) {
        // Reads the schema and the pages once, as a store that is in use has done.
        yardstick_reads warm;
        memset(&warm, 0, sizeof warm);
        problem = read_all(database, sql, 1, first, step, &warm);
    }
    if (problem == NULL) problem = read_all(database, sql, repeats, first, step, result);
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
